/** Lists of integers by string key. */

import { IntLists } from "./int-lists.ts";
import { DamagedArrays, type PackedArrays, packParts, partOf } from "./packed-arrays.ts";
import { StringTable } from "./string-table.ts";

export class StringLists {
  readonly keys: StringTable;
  /** Indexed by the number of the key. */
  readonly lists: IntLists;

  constructor(keys = new StringTable(), lists = new IntLists()) {
    this.keys = keys;
    this.lists = lists;
  }

  /** Restores packed lists. Throws DamagedArrays if the arrays are not valid, or if a number is not below `end`. */
  static unpack(arrays: PackedArrays, end: number): StringLists {
    const keys = StringTable.unpack(partOf(arrays, "keys"));
    const lists = IntLists.unpack(partOf(arrays, "lists"), end);
    if (lists.size > keys.size) throw new DamagedArrays("there are more lists than keys");
    return new StringLists(keys, lists);
  }

  *pack(): Generator<void, PackedArrays> {
    return packParts({ keys: this.keys.pack(), lists: yield* this.lists.pack() });
  }

  add(key: string, value: number): void {
    this.lists.push(this.keys.intern(key), value);
  }

  remove(key: string, value: number): void {
    const id = this.keys.find(key);
    if (id >= 0) this.lists.remove(id, value);
  }

  /** A view of the list, valid until the next change. */
  get(key: string): Uint32Array {
    return this.lists.of(this.keys.find(key));
  }
}
