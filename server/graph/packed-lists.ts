/** Lists of numbers, one per number, in one array: objects of their own would cost more than what is in them. */

import { grown } from "../common/packed/packed-arrays.ts";

type Numbers = Int32Array | Uint8Array;

const INITIAL_LENGTH = 256;

export class PackedLists<T extends Numbers> {
  readonly #create: (length: number) => T;
  #numbers: T;
  #end = 0;
  /** How many of the numbers belong to no list: what a list had before it was set again. */
  #garbage = 0;
  #starts = new Int32Array(INITIAL_LENGTH);
  #lengths = new Int32Array(INITIAL_LENGTH);
  #count = 0;

  constructor(create: (length: number) => T) {
    this.#create = create;
    this.#numbers = create(INITIAL_LENGTH);
  }

  /** How many lists there may be. */
  get count(): number {
    return this.#count;
  }

  /** A view that is valid until the next change; empty where there is no list. */
  get(list: number): T {
    const start = this.#starts[list] ?? 0;
    return this.#numbers.subarray(start, start + (this.#lengths[list] ?? 0)) as T;
  }

  lengthOf(list: number): number {
    return this.#lengths[list] ?? 0;
  }

  set(list: number, numbers: ArrayLike<number>): void {
    this.#reserve(list);
    this.#garbage += this.#lengths[list] ?? 0;
    this.#lengths[list] = 0;
    this.#makeRoom(numbers.length);
    this.#numbers.set(numbers, this.#end);
    this.#starts[list] = this.#end;
    this.#lengths[list] = numbers.length;
    this.#end += numbers.length;
  }

  /** Gives back what was reserved for growth. */
  trim(): void {
    this.#copy(this.#end - this.#garbage);
  }

  #reserve(list: number): void {
    this.#count = Math.max(this.#count, list + 1);
    if (list < this.#starts.length) return;
    this.#starts = grown(this.#starts, list + 1);
    this.#lengths = grown(this.#lengths, list + 1);
  }

  #makeRoom(length: number): void {
    if (this.#end + length <= this.#numbers.length) return;
    const used = this.#end - this.#garbage + length;
    // Where half of it is garbage, there is room enough without a larger array.
    this.#copy(Math.max(used + (used >> 1), INITIAL_LENGTH));
  }

  /** Into a new array, without garbage. */
  #copy(length: number): void {
    const numbers = this.#create(length);
    let end = 0;
    for (let list = 0; list < this.#count; list++) {
      numbers.set(this.get(list), end);
      this.#starts[list] = end;
      end += this.#lengths[list] ?? 0;
    }
    this.#numbers = numbers;
    this.#end = end;
    this.#garbage = 0;
  }
}
