/** Lists of numbers, packed in one array to save the memory of an object per list. They can be swapped out to the scratch file. */

import {
  checkBounds,
  DamagedArrays,
  grown,
  type NumberArray,
  type PackedArrays,
  takeArray,
} from "../../common/packed/packed-arrays.ts";
import type { Scratch, ScratchRange } from "../../contracts/graph.ts";

type Numbers = Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

interface ArrayType<T> {
  new (length: number): T;
  new (buffer: ArrayBuffer, offset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

const INITIAL_LENGTH = 256;
/** If at most a sixteenth of the numbers changed, the changes stay in memory instead of rewriting the stored lists. */
const MIN_NUMBERS_PER_CHANGE = 16;

export class PackedLists<T extends Numbers> {
  readonly #Type: ArrayType<T>;
  readonly #scratch: Scratch | undefined;
  #numbers: T;
  #end = 0;
  /** The count of unused numbers, left by lists that were replaced. */
  #garbage = 0;
  #starts = new Int32Array(INITIAL_LENGTH);
  #lengths = new Int32Array(INITIAL_LENGTH);
  #count = 0;
  /** The last swapped-out version of all lists, and their count. */
  #stored: { readonly place: ScratchRange; readonly count: number } | undefined;
  #isSwappedOut = false;
  /** Lists that changed since `#stored` was written. */
  readonly #changed = new Set<number>();
  /** The contents of changed lists while the others are swapped out. */
  #changesInMemory: (readonly [list: number, numbers: T])[] = [];

  /** With a scratch file, `trim` swaps the lists out. */
  constructor(Type: ArrayType<T>, scratch?: Scratch) {
    this.#Type = Type;
    this.#scratch = scratch;
    this.#numbers = new Type(INITIAL_LENGTH);
  }

  /** One more than the highest list number. */
  get count(): number {
    return this.#count;
  }

  /** A view that is valid until the next change; empty for a missing list. */
  get(list: number): T {
    if (this.#isSwappedOut) this.#swapIn();
    const start = this.#starts[list] ?? 0;
    return this.#numbers.subarray(start, start + (this.#lengths[list] ?? 0)) as T;
  }

  /** All numbers, for use with `startOf` and `lengthOf`; valid until the next change. */
  get numbers(): T {
    if (this.#isSwappedOut) this.#swapIn();
    return this.#numbers;
  }

  startOf(list: number): number {
    if (this.#isSwappedOut) this.#swapIn();
    return this.#starts[list] ?? 0;
  }

  lengthOf(list: number): number {
    if (this.#isSwappedOut) this.#swapIn();
    return this.#lengths[list] ?? 0;
  }

  set(list: number, numbers: ArrayLike<number>): void {
    if (this.#isSwappedOut) this.#swapIn();
    this.#reserve(list);
    this.#garbage += this.#lengths[list] ?? 0;
    this.#lengths[list] = 0;
    this.#ensureCapacity(numbers.length);
    this.#numbers.set(numbers, this.#end);
    this.#starts[list] = this.#end;
    this.#lengths[list] = numbers.length;
    this.#end += numbers.length;
    if (this.#stored !== undefined) this.#changed.add(list);
  }

  /** Replaces all lists; `numbers` are their concatenation. */
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

  /** All lists; valid until the next change. */
  pack(): PackedArrays {
    if (this.#isSwappedOut) this.#swapIn();
    const length = this.#end - this.#garbage;
    if (length !== this.#numbers.length) this.#compact(length);
    return new Map<string, NumberArray>([
      ["lengths", this.#lengths.slice(0, this.#count)],
      ["numbers", this.#numbers],
    ]);
  }

  /** Validates packed lists; the result replaces all lists with them. Throws DamagedArrays. */
  unpack(arrays: PackedArrays): () => void {
    const lengths = takeArray(arrays, "lengths", Int32Array);
    const numbers = takeArray(arrays, "numbers", this.#Type);
    checkBounds("lengths", lengths, 0, Infinity);
    if (lengths.reduce((sum, length) => sum + length, 0) !== numbers.length)
      throw new DamagedArrays("packed lists are damaged");
    return () => this.fill(lengths, numbers);
  }

  /** Releases spare capacity, and swaps the lists out if there is a scratch file. */
  trim(): void {
    if (this.#isSwappedOut) return;
    if (this.#scratch === undefined) this.#compact(this.#end - this.#garbage);
    else this.#swapOut(this.#scratch);
  }

  /** Removes all lists. */
  clear(): void {
    if (this.#stored !== undefined) this.#scratch?.remove(this.#stored.place);
    this.#stored = undefined;
    this.#changesInMemory = [];
    this.#changed.clear();
    this.#dropArrays();
    this.#isSwappedOut = false;
    this.#count = 0;
    this.#end = 0;
    this.#garbage = 0;
  }

  #swapOut(scratch: Scratch): void {
    const changed = [...this.#changed];
    const changes = changed.reduce((sum, list) => sum + this.lengthOf(list), 0);
    if (this.#stored !== undefined && changes * MIN_NUMBERS_PER_CHANGE <= this.#end) {
      this.#changesInMemory = changed.map((list) => [list, this.get(list).slice() as T]);
    } else {
      this.#compact(this.#end - this.#garbage);
      const place = scratch.put(this.#toBytes());
      // The scratch file is full.
      if (place === undefined) return;
      if (this.#stored !== undefined) scratch.remove(this.#stored.place);
      this.#stored = { place, count: this.#count };
      this.#changed.clear();
      this.#changesInMemory = [];
    }
    this.#dropArrays();
    this.#isSwappedOut = true;
  }

  #dropArrays(): void {
    this.#numbers = new this.#Type(0);
    this.#starts = new Int32Array(0);
    this.#lengths = new Int32Array(0);
  }

  /** The lengths of the lists, and their numbers one after another. */
  #toBytes(): Uint8Array {
    const lengths = this.#lengths.subarray(0, this.#count);
    return Buffer.concat([bytesOf(lengths), bytesOf(this.#numbers)]);
  }

  #swapIn(): void {
    if (this.#scratch === undefined || this.#stored === undefined) return;
    const { place, count } = this.#stored;
    const { BYTES_PER_ELEMENT } = this.#Type;
    const start = count * Int32Array.BYTES_PER_ELEMENT;
    // Spare capacity: the next change is usually longer, and would copy all numbers.
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
    this.#isSwappedOut = false;
    const changes = this.#changesInMemory;
    this.#changesInMemory = [];
    for (const [list, numbers] of changes) this.set(list, numbers);
  }

  #reserve(list: number): void {
    this.#count = Math.max(this.#count, list + 1);
    if (list < this.#starts.length) return;
    this.#starts = grown(this.#starts, list + 1);
    this.#lengths = grown(this.#lengths, list + 1);
  }

  #ensureCapacity(length: number): void {
    if (this.#end + length <= this.#numbers.length) return;
    const used = this.#end - this.#garbage + length;
    // If half of the array is garbage, compacting it is enough.
    this.#compact(Math.max(used + (used >> 1), INITIAL_LENGTH));
  }

  /** Copies all lists to an array of this length, without garbage. */
  #compact(length: number): void {
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
