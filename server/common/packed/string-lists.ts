/** Lists of numbers by string key. */

import { NumberLists } from "./number-lists.ts";
import { DamagedArrays, type PackedArrays, packParts, partOf } from "./packed-arrays.ts";
import { StringTable } from "./string-table.ts";

export class StringLists {
  readonly keys: StringTable;
  /** Indexed by the number of the key. */
  readonly lists: NumberLists;

  constructor(keys = new StringTable(), lists = new NumberLists(Uint32Array)) {
    this.keys = keys;
    this.lists = lists;
  }

  /** Restores packed lists. Throws DamagedArrays if the arrays are not valid, or if a number is not below `end`. */
  static unpack(arrays: PackedArrays, end: number): StringLists {
    const keys = StringTable.unpack(partOf(arrays, "keys"));
    const lists = NumberLists.unpack(partOf(arrays, "lists"), Uint32Array, end);
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
    return this.lists.get(this.keys.find(key));
  }
}
