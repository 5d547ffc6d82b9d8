/** Results per file with what was read for each: tells which of them a change concerns. */

import type { Recording } from "./reads.ts";

export class Results<T> {
  readonly #values: (T | undefined)[] = [];
  readonly #keys: (Int32Array | undefined)[] = [];
  readonly #missing = new Set<number>();

  get(file: number): T | undefined {
    return this.#values[file];
  }

  set(file: number, value: T, { keys }: Recording): void {
    this.#values[file] = value;
    this.#keys[file] = Int32Array.from(keys);
    this.#missing.delete(file);
  }

  delete(file: number): void {
    this.#values[file] = undefined;
    this.#keys[file] = undefined;
    this.#missing.delete(file);
  }

  /** The result of a file is to be made, or made again. */
  invalidate(file: number): void {
    this.#missing.add(file);
  }

  /** Invalidates all results for which one of the keys was read. */
  invalidateReaders(changed: ReadonlySet<number>, keyCount: number): void {
    if (changed.size === 0) return;
    const isChanged = new Uint8Array(keyCount);
    for (const key of changed) isChanged[key] = 1;
    this.#keys.forEach((keys, file) => {
      if (keys?.some((key) => isChanged[key] === 1)) this.#missing.add(file);
    });
  }

  /** Some file whose result is missing. */
  get firstMissing(): number | undefined {
    const [file] = this.#missing;
    return file;
  }

  isMissing(file: number): boolean {
    return this.#missing.has(file);
  }
}
