/** The resolved targets of import statements, in packed form. */

import { NumberLists } from "../../common/packed/number-lists.ts";
import {
  DamagedArrays,
  type PackedArrays,
  packParts,
  partOf,
} from "../../common/packed/packed-arrays.ts";
import { StringTable } from "../../common/packed/string-table.ts";
import type { Resolution } from "./rules.ts";

/** The target of one import statement. */
export type ImportTarget = Pick<Resolution, "files" | "external" | "how">;

export class ImportTargets {
  /** By file, for each statement: `how`, the package or -1, the count of files, and the files. */
  #lists = new NumberLists(Int32Array);
  #texts = new StringTable();

  /** In the order of the statements. */
  get(file: number): ImportTarget[] {
    const list = this.#lists.get(file);
    const targets: ImportTarget[] = [];
    for (let at = 0; at < list.length; ) {
      const [how = 0, external = -1, count = 0] = list.subarray(at, at + 3);
      const files = [...list.subarray(at + 3, at + 3 + count)];
      const leaf = external < 0 ? {} : { external: this.#texts.text(external) };
      targets.push({ files, how: this.#texts.text(how), ...leaf });
      at += 3 + count;
    }
    return targets;
  }

  set(file: number, targets: readonly ImportTarget[]): void {
    const list = targets.flatMap(({ files, how, external }) => [
      this.#texts.intern(how),
      external === undefined ? -1 : this.#texts.intern(external),
      files.length,
      ...files,
    ]);
    this.#lists.set(file, list);
  }

  /** All targets; valid until the next change. */
  pack(): PackedArrays {
    return packParts({ lists: this.#lists.packInPlace(), texts: this.#texts.pack() });
  }

  /** Validates packed targets among this many files; the result restores them. Throws DamagedArrays. */
  unpack(arrays: PackedArrays, files: number): () => void {
    const lists = NumberLists.unpack(partOf(arrays, "lists"), Int32Array);
    const texts = StringTable.unpack(partOf(arrays, "texts"));
    checkTargets(lists.values, texts.size, files);
    return () => {
      this.#lists = lists;
      this.#texts = texts;
    };
  }

  trim(): void {
    this.#lists.compact();
  }
}

/** Validates the statements of all lists, which are concatenated. */
function checkTargets(numbers: Int32Array, texts: number, files: number): void {
  let isRight = true;
  for (let at = 0; at < numbers.length; ) {
    const [how = -1, external = -2, count = -1] = numbers.subarray(at, at + 3);
    isRight &&= how >= 0 && how < texts && external >= -1 && external < texts && count >= 0;
    const end = at + 3 + count;
    if (!isRight || end > numbers.length) throw new DamagedArrays("import targets are damaged");
    for (at += 3; at < end; at++) {
      const file = numbers[at] as number;
      isRight &&= file >= 0 && file < files;
    }
  }
  if (!isRight) throw new DamagedArrays("import targets are damaged");
}
