/** Lists of numbers that can be swapped out to the scratch file while they are not used. */

import { type ArrayType, NumberLists } from "../../common/packed/number-lists.ts";
import type { Scratch, ScratchRange } from "../../contracts/graph.ts";

type Numbers = Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

interface StoredArrayType<T> extends ArrayType<T> {
  new (buffer: ArrayBuffer, offset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

/** Spare numbers of lists that were swapped in. */
const SPARE = 256;
/** If at most a sixteenth of the numbers changed, the changes stay in memory instead of rewriting the stored lists. */
const MIN_NUMBERS_PER_CHANGE = 16;

export class SwappedLists<T extends Numbers> {
  readonly #Type: StoredArrayType<T>;
  readonly #scratch: Scratch | undefined;
  /** Undefined while the lists are swapped out. */
  #lists: NumberLists<T> | undefined;
  /** The last swapped-out version of all lists, and their count. */
  #stored: { readonly place: ScratchRange; readonly count: number } | undefined;
  /** Lists that changed since `#stored` was written. */
  readonly #changed = new Set<number>();
  /** The contents of changed lists while the others are swapped out. */
  #changesInMemory: (readonly [list: number, numbers: T])[] = [];

  /** Without a scratch file, the lists stay in memory. */
  constructor(Type: StoredArrayType<T>, scratch: Scratch | undefined) {
    this.#Type = Type;
    this.#scratch = scratch;
    this.#lists = new NumberLists(Type);
  }

  /** The lists, swapped in if necessary. They are changed by `set` and `replaceAll`. */
  get lists(): Omit<NumberLists<T>, "set" | "push" | "remove" | "clear"> {
    return this.#inMemory();
  }

  set(list: number, numbers: ArrayLike<number>): void {
    this.#inMemory().set(list, numbers);
    if (this.#stored !== undefined) this.#changed.add(list);
  }

  replaceAll(lists: NumberLists<T>): void {
    if (this.#stored !== undefined) this.#scratch?.remove(this.#stored.place);
    this.#stored = undefined;
    this.#changesInMemory = [];
    this.#changed.clear();
    this.#lists = lists;
  }

  /** Releases spare capacity, and swaps the lists out if there is a scratch file. */
  trim(): void {
    if (this.#lists === undefined) return;
    if (this.#scratch === undefined) this.#lists.compact();
    else this.#swapOut(this.#lists, this.#scratch);
  }

  #swapOut(lists: NumberLists<T>, scratch: Scratch): void {
    const changed = [...this.#changed];
    const changes = changed.reduce((sum, list) => sum + lists.count(list), 0);
    if (this.#stored !== undefined && changes * MIN_NUMBERS_PER_CHANGE <= lists.values.length) {
      this.#changesInMemory = changed.map((list) => [list, lists.get(list).slice() as T]);
    } else {
      const place = scratch.put(Buffer.concat([...lists.packInPlace().values()].map(bytesOf)));
      // The scratch file is full.
      if (place === undefined) return;
      if (this.#stored !== undefined) scratch.remove(this.#stored.place);
      this.#stored = { place, count: lists.size };
      this.#changed.clear();
      this.#changesInMemory = [];
    }
    this.#lists = undefined;
  }

  #inMemory(): NumberLists<T> {
    this.#lists ??= this.#swapIn();
    return this.#lists;
  }

  #swapIn(): NumberLists<T> {
    if (this.#scratch === undefined || this.#stored === undefined)
      return new NumberLists(this.#Type);
    const { place, count } = this.#stored;
    const { BYTES_PER_ELEMENT } = this.#Type;
    const start = count * Int32Array.BYTES_PER_ELEMENT;
    // Spare capacity: the next change is usually longer, and would copy all numbers.
    const room = (place.length >> 4) + SPARE;
    const { buffer } = this.#scratch.get(place, room * BYTES_PER_ELEMENT);
    const length = (place.length - start) / BYTES_PER_ELEMENT + room;
    const counts = new Int32Array(buffer, 0, count);
    const lists = NumberLists.from(counts, new this.#Type(buffer, start, length));
    for (const [list, numbers] of this.#changesInMemory) lists.set(list, numbers);
    this.#changesInMemory = [];
    return lists;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
