/**
 * Many lists of integers in one array. A list that is full moves to the end of the array with twice the capacity, so
 * the abandoned space is always less than the used space.
 */

import {
  DamagedArrays,
  grown,
  grownInSteps,
  type NumberArray,
  type PackedArrays,
  takeArray,
} from "./packed-arrays.ts";

const FIRST_LISTS = 8;
const FIRST_VALUES = 32;
const LISTS_PER_STEP = 1_000;
/** `trim` frees space if more than this share of the array is unused, and more than some kilobytes. */
const MAX_UNUSED_SHARE = 0.25;
const MIN_TRIMMED = 1 << 14;

export class IntLists {
  #size = 0;
  #starts = new Int32Array(FIRST_LISTS);
  #counts = new Int32Array(FIRST_LISTS);
  #rooms = new Int32Array(FIRST_LISTS);
  #values = new Uint32Array(FIRST_VALUES);
  #used = 0;
  /** The number of integers in all lists. */
  #live = 0;
  #changes = 0;

  /** Restores packed lists. Throws DamagedArrays if the arrays are not valid, or if a number is not below `end`. */
  static unpack(arrays: PackedArrays, end: number): IntLists {
    const lists = new IntLists();
    const counts = takeArray(arrays, "counts", Int32Array);
    const values = takeArray(arrays, "values", Uint32Array);
    const starts = new Int32Array(counts.length);
    let used = 0;
    let isRight = true;
    for (let list = 0; list < counts.length; list++) {
      const count = counts[list] as number;
      isRight &&= count >= 0;
      starts[list] = used;
      used += count;
    }
    for (let i = 0; i < values.length; i++) isRight &&= (values[i] as number) < end;
    if (!isRight || used !== values.length) throw new DamagedArrays("lists are damaged");
    lists.#size = counts.length;
    lists.#starts = starts;
    lists.#counts = counts;
    lists.#rooms = counts.slice();
    lists.#values = values;
    lists.#used = used;
    lists.#live = used;
    return lists;
  }

  /** A copy without spare capacity. One step copies some thousand lists. */
  *pack(): Generator<void, PackedArrays> {
    const counts = this.#counts.slice(0, this.#size);
    const values = yield* this.#tight(this.#live);
    return new Map<string, NumberArray>([
      ["counts", counts],
      ["values", values],
    ]);
  }

  /**
   * Lists with each number replaced by `map`, or removed if the result is negative. One step maps some thousand lists.
   */
  *mapped(map: (value: number) => number): Generator<void, IntLists> {
    const result = new IntLists();
    result.#makeLists(this.#size);
    const values = new Uint32Array(Math.max(FIRST_VALUES, this.#live));
    let at = 0;
    for (let list = 0; list < this.#size; list++) {
      if (list % LISTS_PER_STEP === 0) yield;
      const start = this.#starts[list] as number;
      const end = start + (this.#counts[list] as number);
      result.#starts[list] = at;
      for (let i = start; i < end; i++) {
        const value = map(this.#values[i] as number);
        if (value >= 0) values[at++] = value;
      }
      const count = at - (result.#starts[list] as number);
      result.#counts[list] = count;
      result.#rooms[list] = count;
    }
    result.#values = values;
    result.#used = at;
    result.#live = at;
    return result;
  }

  get size(): number {
    return this.#size;
  }

  /** The array behind all lists; a list begins at its `start`. A change may replace the array. */
  get values(): Uint32Array {
    return this.#values;
  }

  start(list: number): number {
    return this.#starts[list] ?? 0;
  }

  count(list: number): number {
    return this.#counts[list] ?? 0;
  }

  /** A view of a list, valid until the next change. Empty for a list that does not exist. */
  of(list: number): Uint32Array {
    if (list < 0 || list >= this.#size) return this.#values.subarray(0, 0);
    const start = this.#starts[list] as number;
    return this.#values.subarray(start, start + (this.#counts[list] as number));
  }

  /**
   * Reserves space for more numbers in steps, because a list that must grow copies the whole array at once. Without
   * effect if a list changes meanwhile.
   */
  *makeRoom(numbers: number): Generator<void, void> {
    const needed = this.#used + numbers;
    if (needed <= this.#values.length) return;
    const changes = this.#changes;
    const values = yield* grownInSteps(this.#values, needed);
    if (changes === this.#changes) this.#values = values;
  }

  /** Creates the lists up to this number. */
  push(list: number, value: number): void {
    this.#changes++;
    if (list >= this.#size) this.#makeLists(list + 1);
    const count = this.#counts[list] as number;
    if (count === this.#rooms[list]) this.#move(list, count === 0 ? 1 : count * 2);
    this.#values[(this.#starts[list] as number) + count] = value;
    this.#counts[list] = count + 1;
    this.#live++;
  }

  /** Removes a number from a list. The order of the others may change. */
  remove(list: number, value: number): void {
    const values = this.of(list);
    const at = values.indexOf(value);
    if (at < 0) return;
    this.#changes++;
    values[at] = values[values.length - 1] as number;
    this.#counts[list] = values.length - 1;
    this.#live--;
  }

  clear(list: number): void {
    this.#live -= this.count(list);
    if (list < this.#size) this.#counts[list] = 0;
  }

  /** Creates lists up to this number, so that every string of a table has one. */
  #makeLists(size: number): void {
    if (size > this.#starts.length) {
      this.#starts = grown(this.#starts, size);
      this.#counts = grown(this.#counts, size);
      this.#rooms = grown(this.#rooms, size);
    }
    this.#size = size;
  }

  #move(list: number, room: number): void {
    if (this.#used + room > this.#values.length)
      this.#values = grown(this.#values, this.#used + room);
    const start = this.#starts[list] as number;
    this.#values.copyWithin(this.#used, start, start + (this.#counts[list] as number));
    this.#starts[list] = this.#used;
    this.#rooms[list] = room;
    this.#used += room;
  }

  /** Frees unused space in steps of some thousand lists. No list may change meanwhile. */
  *trim(): Generator<void, void> {
    const { length } = this.#values;
    if (length < MIN_TRIMMED || length - this.#live < length * MAX_UNUSED_SHARE) return;
    const values = yield* this.#tight(this.#live);
    let used = 0;
    for (let list = 0; list < this.#size; list++) {
      this.#starts[list] = used;
      this.#rooms[list] = this.#counts[list] as number;
      used += this.#counts[list] as number;
    }
    this.#changes++;
    this.#values = values;
    this.#used = used;
  }

  *#tight(length: number): Generator<void, Uint32Array<ArrayBuffer>> {
    const values = new Uint32Array(length);
    let at = 0;
    for (let list = 0; list < this.#size; list++) {
      if (list % LISTS_PER_STEP === 0) yield;
      const start = this.#starts[list] as number;
      const end = start + (this.#counts[list] as number);
      for (let i = start; i < end; i++) values[at++] = this.#values[i] as number;
    }
    return values;
  }
}
