/**
 * Many lists of numbers in one typed array. A list that outgrows its space moves to the end of the array. If it grows by single
 * numbers it gets twice the space, so the abandoned space is always less than the used space.
 */

import { runToEnd } from "../slices.ts";
import {
  checkBounds,
  DamagedArrays,
  grown,
  grownInSteps,
  type NumberArray,
  type PackedArrays,
  takeArray,
} from "./packed-arrays.ts";

type Numbers = Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;
type ArrayType<T> = new (length: number) => T;

const FIRST_LISTS = 8;
const FIRST_VALUES = 32;
const LISTS_PER_STEP = 1_000;
/** `trim` frees space if more than this share of the array is unused, and more than some kilobytes. */
const MAX_UNUSED_SHARE = 0.25;
const MIN_TRIMMED = 1 << 14;

export class NumberLists<T extends Numbers = Uint32Array<ArrayBuffer>> {
  readonly #Type: ArrayType<T>;
  #size = 0;
  #starts = new Int32Array(FIRST_LISTS);
  #counts = new Int32Array(FIRST_LISTS);
  /** The space of each list; undefined while it equals the counts. */
  #rooms: Int32Array | undefined;
  #values: T;
  #used = 0;
  /** The number of values in all lists. */
  #live = 0;
  #changes = 0;

  constructor(Type: ArrayType<T>) {
    this.#Type = Type;
    this.#values = new Type(FIRST_VALUES);
  }

  /** Lists whose values are one after another. The array may be longer. */
  static from<T extends Numbers>(counts: Int32Array<ArrayBuffer>, values: T): NumberLists<T> {
    const lists = new NumberLists(values.constructor as ArrayType<T>);
    lists.#size = counts.length;
    lists.#counts = counts;
    lists.#values = values;
    lists.#live = lists.#setStarts();
    return lists;
  }

  /** Restores packed lists. Throws DamagedArrays if the arrays are not valid, or if a number is not below `end`. */
  static unpack<T extends Numbers>(
    arrays: PackedArrays,
    Type: ArrayType<T>,
    end = Infinity,
  ): NumberLists<T> {
    const counts = takeArray(arrays, "counts", Int32Array);
    const values = takeArray(arrays, "values", Type);
    checkBounds("counts", counts, 0, Infinity);
    checkBounds("values", values, -Infinity, end);
    const lists = NumberLists.from(counts, values);
    if (lists.#live !== values.length) throw new DamagedArrays("lists are damaged");
    return lists;
  }

  /** A copy without spare capacity. One step copies some thousand lists. */
  *pack(): Generator<void, PackedArrays> {
    const counts = this.#counts.slice(0, this.#size);
    return packed(counts, yield* this.#copied(this.#live));
  }

  /** Like `pack`, but no copy: valid until the next change. */
  packInPlace(): PackedArrays {
    this.compact();
    return packed(this.#counts.subarray(0, this.#size), this.#values);
  }

  /**
   * Lists with each number replaced by `map`, or removed if the result is negative. One step maps some thousand lists.
   */
  *mapped(map: (value: number) => number): Generator<void, NumberLists<T>> {
    const counts = new Int32Array(this.#size);
    const values = new this.#Type(Math.max(FIRST_VALUES, this.#live));
    let at = 0;
    for (let list = 0; list < this.#size; list++) {
      if (list % LISTS_PER_STEP === 0) yield;
      const first = at;
      const start = this.#starts[list] as number;
      const end = start + (this.#counts[list] as number);
      for (let i = start; i < end; i++) {
        const value = map(this.#values[i] as number);
        if (value >= 0) values[at++] = value;
      }
      counts[list] = at - first;
    }
    return NumberLists.from(counts, values);
  }

  get size(): number {
    return this.#size;
  }

  /** The array behind all lists; a list begins at its `start`. A change may replace the array. */
  get values(): T {
    return this.#values;
  }

  start(list: number): number {
    return this.#starts[list] ?? 0;
  }

  count(list: number): number {
    return this.#counts[list] ?? 0;
  }

  /** A view of a list, valid until the next change. Empty for a list that does not exist. */
  get(list: number): T {
    if (list < 0 || list >= this.#size) return this.#values.subarray(0, 0) as T;
    const start = this.#starts[list] as number;
    return this.#values.subarray(start, start + (this.#counts[list] as number)) as T;
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

  /** Replaces a list. Creates the lists up to this number. */
  set(list: number, numbers: ArrayLike<number>): void {
    this.#changes++;
    this.#makeLists(list + 1);
    const { length } = numbers;
    const room = (this.#rooms ?? this.#counts)[list] as number;
    this.clear(list);
    if (length > room) {
      // A list that is set again leaves its old space unused, so that it is worth freeing.
      const needed = this.#live + length;
      if (this.#used + length > this.#values.length)
        this.#replaceValues(runToEnd(this.#copied(needed + (needed >> 1))));
      this.#starts[list] = this.#used;
      this.#used += length;
      if (this.#rooms !== undefined) this.#rooms[list] = length;
    }
    this.#values.set(numbers, this.#starts[list]);
    this.#counts[list] = length;
    this.#live += length;
  }

  /** Adds a number to a list. Creates the lists up to this number. */
  push(list: number, value: number): void {
    this.#changes++;
    this.#makeLists(list + 1);
    this.#rooms ??= this.#counts.slice();
    const count = this.#counts[list] as number;
    if (count === this.#rooms[list]) this.#move(list, count === 0 ? 1 : count * 2, this.#rooms);
    this.#values[(this.#starts[list] as number) + count] = value;
    this.#counts[list] = count + 1;
    this.#live++;
  }

  /** Removes a number from a list. The order of the others may change. */
  remove(list: number, value: number): void {
    const values = this.get(list);
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

  #makeLists(size: number): void {
    if (size <= this.#size) return;
    if (size > this.#starts.length) {
      this.#starts = grown(this.#starts, size);
      this.#counts = grown(this.#counts, size);
      if (this.#rooms !== undefined) this.#rooms = grown(this.#rooms, size);
    }
    this.#size = size;
  }

  #move(list: number, room: number, rooms: Int32Array): void {
    if (this.#used + room > this.#values.length)
      this.#values = grown(this.#values, this.#used + room);
    const start = this.#starts[list] as number;
    this.#values.copyWithin(this.#used, start, start + (this.#counts[list] as number));
    this.#starts[list] = this.#used;
    rooms[list] = room;
    this.#used += room;
  }

  /** Frees unused space in steps of some thousand lists, if it is worth it. No list may change meanwhile. */
  *trim(): Generator<void, void> {
    const { length } = this.#values;
    if (length < MIN_TRIMMED || length - this.#live < length * MAX_UNUSED_SHARE) return;
    this.#replaceValues(yield* this.#copied(this.#live));
  }

  /** Frees all unused space. */
  compact(): void {
    if (!this.#isCompact) this.#replaceValues(runToEnd(this.#copied(this.#live)));
  }

  /** Whether the lists follow each other in their order, without unused space. */
  get #isCompact(): boolean {
    let end = 0;
    for (let list = 0; list < this.#size; list++) {
      const count = this.#counts[list] as number;
      if (count > 0 && this.#starts[list] !== end) return false;
      end += count;
    }
    return end === this.#values.length;
  }

  /** The values of all lists, one after another. */
  *#copied(length: number): Generator<void, T> {
    const values = new this.#Type(length);
    let at = 0;
    for (let list = 0; list < this.#size; list++) {
      if (list % LISTS_PER_STEP === 0) yield;
      const start = this.#starts[list] as number;
      const end = start + (this.#counts[list] as number);
      for (let i = start; i < end; i++) values[at++] = this.#values[i] as number;
    }
    return values;
  }

  #replaceValues(values: T): void {
    this.#changes++;
    this.#values = values;
    this.#setStarts();
  }

  /** Lets the lists begin one after another, and returns the number of their values. */
  #setStarts(): number {
    if (this.#starts.length !== this.#counts.length)
      this.#starts = new Int32Array(this.#counts.length);
    this.#used = 0;
    for (let list = 0; list < this.#size; list++) {
      this.#starts[list] = this.#used;
      this.#used += this.#counts[list] as number;
    }
    this.#rooms = undefined;
    return this.#used;
  }
}

function packed(counts: Int32Array, values: NumberArray): PackedArrays {
  return new Map([
    ["counts", counts],
    ["values", values],
  ]);
}
