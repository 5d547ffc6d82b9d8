/** What was read for the result of each file: tells which of them a change concerns. */

import { PackedLists } from "./packed-lists.ts";
import type { Recording } from "./reads.ts";

/** So few changes are looked up in the keys of a file; of more, the keys are looked up among the changes. */
const MAX_LOOK_UPS = 16;

export class Results {
  /** By file, ascending. */
  readonly #keys = new PackedLists((length) => new Int32Array(length));
  readonly #missing = new Set<number>();

  /** The result of a file was made. */
  set(file: number, { keys }: Recording): void {
    this.#keys.set(file, Int32Array.from(keys).toSorted());
    this.#missing.delete(file);
  }

  delete(file: number): void {
    this.#keys.set(file, []);
    this.#missing.delete(file);
  }

  /** The result of a file is to be made, or made again. */
  invalidate(file: number): void {
    this.#missing.add(file);
  }

  /** Invalidates all results for which one of the keys was read. */
  invalidateReaders(changed: ReadonlySet<number>): void {
    if (changed.size === 0) return;
    const few = changed.size <= MAX_LOOK_UPS ? [...changed] : undefined;
    for (let file = 0; file < this.#keys.count; file++) {
      const keys = this.#keys.get(file);
      const isConcerned =
        few === undefined
          ? keys.some((key) => changed.has(key))
          : few.some((key) => includesSorted(keys, key));
      if (isConcerned) this.#missing.add(file);
    }
  }

  /** Some file whose result is missing. */
  get firstMissing(): number | undefined {
    const [file] = this.#missing;
    return file;
  }

  isMissing(file: number): boolean {
    return this.#missing.has(file);
  }

  trim(): void {
    this.#keys.trim();
  }
}

function includesSorted(keys: Int32Array, key: number): boolean {
  let [from, to] = [0, keys.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((keys[middle] ?? 0) < key) from = middle + 1;
    else to = middle;
  }
  return keys[from] === key;
}
