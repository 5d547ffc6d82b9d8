/** Lists of numbers, one per number, in one array: objects of their own would cost more than what is in them. */

import {
  checkBounds,
  DamagedArrays,
  grown,
  type NumberArray,
  type PackedArrays,
  takeArray,
} from "../../common/packed/packed-arrays.ts";
import type { Scratch, ScratchPlace } from "../../contracts/graph.ts";

type Numbers = Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

interface ArrayType<T> {
  new (length: number): T;
  new (buffer: ArrayBuffer, offset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

const INITIAL_LENGTH = 256;
/** While at most a sixteenth of the numbers has changed, only the changes stay in memory, and the stored rest is not written again. */
const MIN_NUMBERS_PER_CHANGE = 16;

export class PackedLists<T extends Numbers> {
  readonly #Type: ArrayType<T>;
  readonly #scratch: Scratch | undefined;
  #numbers: T;
  #end = 0;
  /** How many of the numbers belong to no list: what a list had before it was set again. */
  #garbage = 0;
  #starts = new Int32Array(INITIAL_LENGTH);
  #lengths = new Int32Array(INITIAL_LENGTH);
  #count = 0;
  /** Where all lists were put away, as they were then, and how many there were. */
  #stored: { readonly place: ScratchPlace; readonly count: number } | undefined;
  #isAway = false;
  /** Lists that were set since. */
  readonly #changed = new Set<number>();
  /** What is in these while the others are away. */
  #kept: (readonly [list: number, numbers: T])[] = [];

  /** Lists that may be put away go to the scratch space. */
  constructor(Type: ArrayType<T>, scratch?: Scratch) {
    this.#Type = Type;
    this.#scratch = scratch;
    this.#numbers = new Type(INITIAL_LENGTH);
  }

  /** How many lists there may be. */
  get count(): number {
    return this.#count;
  }

  /** A view that is valid until the next change; empty where there is no list. */
  get(list: number): T {
    if (this.#isAway) this.#bringBack();
    const start = this.#starts[list] ?? 0;
    return this.#numbers.subarray(start, start + (this.#lengths[list] ?? 0)) as T;
  }

  /** All numbers, until the next change: those of a list begin at its start. */
  get numbers(): T {
    if (this.#isAway) this.#bringBack();
    return this.#numbers;
  }

  startOf(list: number): number {
    if (this.#isAway) this.#bringBack();
    return this.#starts[list] ?? 0;
  }

  lengthOf(list: number): number {
    if (this.#isAway) this.#bringBack();
    return this.#lengths[list] ?? 0;
  }

  set(list: number, numbers: ArrayLike<number>): void {
    if (this.#isAway) this.#bringBack();
    this.#reserve(list);
    this.#garbage += this.#lengths[list] ?? 0;
    this.#lengths[list] = 0;
    this.#makeRoom(numbers.length);
    this.#numbers.set(numbers, this.#end);
    this.#starts[list] = this.#end;
    this.#lengths[list] = numbers.length;
    this.#end += numbers.length;
    if (this.#stored !== undefined) this.#changed.add(list);
  }

  /** Replaces all lists: their numbers are one behind another. */
  fill(lengths: Int32Array<ArrayBuffer>, numbers: T): void {
    this.clear();
    this.#lengths = lengths;
    this.#starts = new Int32Array(lengths.length);
    for (let list = 0; list < lengths.length; list++) {
      this.#starts[list] = this.#end;
      this.#end += lengths[list] ?? 0;
    }
    this.#count = lengths.length;
    this.#numbers = numbers;
  }

  /** All lists, as long as nothing changes. */
  pack(): PackedArrays {
    if (this.#isAway) this.#bringBack();
    const length = this.#end - this.#garbage;
    if (length !== this.#numbers.length) this.#copy(length);
    return new Map<string, NumberArray>([
      ["lengths", this.#lengths.slice(0, this.#count)],
      ["numbers", this.#numbers],
    ]);
  }

  /** Looks at what `pack` gave; the result puts those lists in place of all. Throws DamagedArrays. */
  unpack(arrays: PackedArrays): () => void {
    const lengths = takeArray(arrays, "lengths", Int32Array);
    const numbers = takeArray(arrays, "numbers", this.#Type);
    checkBounds("lengths", lengths, 0, Infinity);
    if (lengths.reduce((sum, length) => sum + length, 0) !== numbers.length)
      throw new DamagedArrays("lists are damaged");
    return () => this.fill(lengths, numbers);
  }

  /** Gives back what was reserved for growth, and puts the rest away where there is a place for it. */
  trim(): void {
    if (this.#isAway) return;
    if (this.#scratch === undefined) this.#copy(this.#end - this.#garbage);
    else this.#putAway(this.#scratch);
  }

  /** As if nothing had ever been set. */
  clear(): void {
    if (this.#stored !== undefined) this.#scratch?.remove(this.#stored.place);
    this.#stored = undefined;
    this.#kept = [];
    this.#changed.clear();
    this.#forget();
    this.#isAway = false;
    this.#count = 0;
    this.#end = 0;
    this.#garbage = 0;
  }

  #putAway(scratch: Scratch): void {
    const changed = [...this.#changed];
    const changes = changed.reduce((sum, list) => sum + this.lengthOf(list), 0);
    if (this.#stored !== undefined && changes * MIN_NUMBERS_PER_CHANGE <= this.#end) {
      this.#kept = changed.map((list) => [list, this.get(list).slice() as T]);
    } else {
      this.#copy(this.#end - this.#garbage);
      const place = scratch.put(this.#toBytes());
      // Without room they stay where they are.
      if (place === undefined) return;
      if (this.#stored !== undefined) scratch.remove(this.#stored.place);
      this.#stored = { place, count: this.#count };
      this.#changed.clear();
      this.#kept = [];
    }
    this.#forget();
    this.#isAway = true;
  }

  #forget(): void {
    this.#numbers = new this.#Type(0);
    this.#starts = new Int32Array(0);
    this.#lengths = new Int32Array(0);
  }

  /** The lengths of the lists, and their numbers one after another. */
  #toBytes(): Uint8Array {
    const lengths = this.#lengths.subarray(0, this.#count);
    return Buffer.concat([bytesOf(lengths), bytesOf(this.#numbers)]);
  }

  #bringBack(): void {
    if (this.#scratch === undefined || this.#stored === undefined) return;
    const { place, count } = this.#stored;
    const { BYTES_PER_ELEMENT } = this.#Type;
    const start = count * Int32Array.BYTES_PER_ELEMENT;
    // What is changed next is longer, as a rule: with some room, nothing has to be copied for it.
    const room = (place.length >> 4) + INITIAL_LENGTH;
    const { buffer } = this.#scratch.get(place, room * BYTES_PER_ELEMENT);
    this.#lengths = new Int32Array(buffer, 0, count);
    this.#end = (place.length - start) / BYTES_PER_ELEMENT;
    this.#garbage = 0;
    this.#numbers = new this.#Type(buffer, start, this.#end + room);
    this.#starts = new Int32Array(count);
    let end = 0;
    for (let list = 0; list < count; list++) {
      this.#starts[list] = end;
      end += this.#lengths[list] ?? 0;
    }
    this.#isAway = false;
    const kept = this.#kept;
    this.#kept = [];
    for (const [list, numbers] of kept) this.set(list, numbers);
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
    const numbers = new this.#Type(length);
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

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
