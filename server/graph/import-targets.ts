/** Where the import statements of files lead, as numbers. */

import { PackedLists } from "./packed-lists.ts";
import type { Resolution } from "./rules.ts";

/** Where one import statement leads. */
export type ImportTarget = Pick<Resolution, "files" | "external" | "how">;

export class ImportTargets {
  /** By file; of each statement: its `how`, its package or -1, the count of its files, and these. */
  readonly #lists = new PackedLists(Int32Array);
  readonly #texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** In the order of the statements. */
  get(file: number): ImportTarget[] {
    const list = this.#lists.get(file);
    const targets: ImportTarget[] = [];
    for (let at = 0; at < list.length; ) {
      const [how = 0, external = -1, count = 0] = list.subarray(at, at + 3);
      const files = [...list.subarray(at + 3, at + 3 + count)];
      const leaf = external < 0 ? {} : { external: this.#texts[external] ?? "" };
      targets.push({ files, how: this.#texts[how] ?? "", ...leaf });
      at += 3 + count;
    }
    return targets;
  }

  set(file: number, targets: readonly ImportTarget[]): void {
    const list = targets.flatMap(({ files, how, external }) => [
      this.#number(how),
      external === undefined ? -1 : this.#number(external),
      files.length,
      ...files,
    ]);
    this.#lists.set(file, list);
  }

  #number(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.length;
      this.#numbers.set(text, number);
      this.#texts.push(text);
    }
    return number;
  }

  trim(): void {
    this.#lists.trim();
  }
}
