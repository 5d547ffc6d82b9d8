/** Exact nearest neighbors by cosine over the vectors of one index: a scan of bytes, and then the numbers themselves. */

import { ByteRows, type ExactProduct, vectorLength } from "../../common/byte-rows.ts";
import { roundToHalves } from "../../common/half-precision.ts";
import {
  checkBounds,
  grown,
  grownInSteps,
  type PackedArrays,
  takeArray,
} from "../../common/packed/packed-arrays.ts";
import type { TopK } from "../../common/ranking/top-k.ts";

const MAX_INT8 = 127;

/** A row has room for at least as many more; an index of ten chunks costs little. */
const FIRST_ROWS = 256;

/** Far more than any model has. */
const MAX_DIMENSION = 65_536;

/** By how many bits an upper byte is shifted. */
const UPPER_BITS = 8;
const UPPER = 2 ** UPPER_BITS;
const SCORING = { factor: UPPER, absent: Number.NEGATIVE_INFINITY };
/** The largest number of a row: its upper byte, rounded, is 127 at most. */
const MAX_NUMBER = MAX_INT8 * UPPER + MAX_INT8;

/** Rows of one step: one to two milliseconds, so that an index of fewer is searched at once. */
const ROWS_AT_ONCE = 32_768;

/** The maximum error that rounding to a float adds to a sum that is compared with another. */
const ROUNDING = 1e-6;

/**
 * Vectors of length 1 by slot; a slot without one (its embedding is pending) is never found.
 *
 * A row is stored once, as numbers of 16 bits in a scale of its own: its upper bytes in the memory of the scan, the
 * lower ones beside it. The scan reads the upper ones only. As it knows by how much it may be wrong, everything that can
 * belong to the best is then compared by all 16 bits.
 */
export class VectorIndex {
  /** The upper bytes. */
  #rows = new ByteRows();
  /** One more than the last slot that was ever set. */
  #size = 0;
  #lower = new Int8Array();
  /** The vector that is being set. */
  #numbers = new Float32Array();
  /** Vectors that were set, moved or dropped, to notice it. */
  #changes = 0;
  /** The longest that the lower parts of a row ever were: how far a scan may be wrong for a query of length 1. */
  #maxRest = 0;

  /** Restores the result of `pack`. Throws DamagedArrays if the arrays are not such a result. */
  static unpack(arrays: PackedArrays): VectorIndex {
    const index = new VectorIndex();
    const [dimension = 0, size = 0, maxRest = 0] = takeArray(arrays, "sizes", Float64Array, 3);
    checkBounds("sizes", new Float64Array([dimension]), 0, MAX_DIMENSION);
    index.#begin(dimension);
    const { rowBytes } = index.#rows;
    const scales = takeArray(arrays, "scales", Float32Array, size);
    const upper = takeArray(arrays, "upper", Int8Array, size * rowBytes);
    const lower = takeArray(arrays, "lower", Int8Array, size * rowBytes);
    index.#size = size;
    index.#maxRest = maxRest;
    if (size === 0) return index;
    index.#rows.reserve(size);
    index.#rows.bytes.set(upper);
    index.#rows.scales.set(scales);
    index.#lower = lower;
    return index;
  }

  /** The arrays are valid until the next change. */
  pack(): PackedArrays {
    const { dimension, rowBytes, bytes, scales } = this.#rows;
    const numbers = this.#size * rowBytes;
    return new Map<string, Float64Array | Float32Array | Int8Array>([
      ["sizes", new Float64Array([dimension, this.#size, this.#maxRest])],
      ["scales", scales.subarray(0, this.#size)],
      ["upper", bytes.subarray(0, numbers)],
      ["lower", this.#lower.subarray(0, numbers)],
    ]);
  }

  /** One more than the last slot that has a vector. */
  get size(): number {
    return this.#size;
  }

  /** The number of slots with a vector. */
  get count(): number {
    const { scales } = this.#rows;
    let count = 0;
    for (let slot = 0; slot < this.#size; slot++) if (scales[slot] !== 0) count++;
    return count;
  }

  /** In steps; without effect where a vector is set meanwhile, and before the first one, which says how long they are. */
  *makeRoom(slots: number): Generator<void, void> {
    if (this.#size === 0 || slots <= this.#rows.room) return;
    const { rows, bytes } = this.#largerFor(slots);
    const changes = this.#changes;
    const lower = yield* grownInSteps(this.#lower, bytes);
    if (changes === this.#changes) this.#grow(rows, lower);
  }

  set(slot: number, vector: Float32Array): void {
    if (vector.length !== this.#rows.dimension) this.#begin(vector.length);
    this.#changes++;
    if (slot >= this.#rows.room) {
      const { rows, bytes } = this.#largerFor(slot + 1);
      this.#grow(rows, grown(this.#lower, bytes));
    }
    this.#size = Math.max(this.#size, slot + 1);
    const { rowBytes, bytes, scales } = this.#rows;
    const start = slot * rowBytes;
    // The vector is rounded as it is stored, so that scores are the same whether the chunk was just indexed or is read again.
    const numbers = this.#numbers;
    roundToHalves(vector, numbers);
    let largest = 0;
    for (let i = 0; i < numbers.length; i++)
      largest = Math.max(largest, Math.abs(numbers[i] as number));
    // A vector of zeros is found too, with a score of zero.
    const step = largest === 0 ? 1 : largest / MAX_NUMBER;
    // Rounding changes the length from exactly 1.
    const scale = step / (vectorLength(numbers) || 1);
    const lowerBytes = this.#lower;
    let squares = 0;
    for (let i = 0; i < numbers.length; i++) {
      // Rounded as Math.round does, in a third of the time: shifting takes the lower byte off.
      const number = Math.floor((numbers[i] as number) / step + 0.5);
      const upper = (number + UPPER / 2) >> UPPER_BITS;
      const lower = number - (upper << UPPER_BITS);
      bytes[start + i] = upper;
      lowerBytes[start + i] = lower;
      squares += lower * lower;
    }
    scales[slot] = scale;
    this.#maxRest = Math.max(this.#maxRest, Math.sqrt(squares) * scale);
  }

  remove(slot: number): void {
    if (slot < this.#size) this.#rows.scales[slot] = 0;
  }

  /** In steps, between which vectors may be added and removed, but not renumbered. */
  *search(
    query: Float32Array,
    isAllowed: ((slot: number) => boolean) | undefined,
    best: TopK,
  ): Generator<void, void> {
    if (this.#size === 0) return;
    const rows = this.#rows;
    if (query.length !== rows.dimension) {
      throw new Error(`the query has ${query.length} dimensions, the index ${rows.dimension}`);
    }
    const scores = new Float32Array(this.#size);
    let error = 0;
    for (let from = 0; from < scores.length; from += ROWS_AT_ONCE) {
      if (from > 0) yield;
      // The vectors were replaced by those from another model, so the query no longer applies.
      if (this.#rows !== rows) return;
      const part = scores.subarray(from, from + ROWS_AT_ONCE);
      error = Math.max(error, this.#scan(query, from, part));
      if (isAllowed !== undefined) dropOthers(part, from, isAllowed);
    }
    this.#compare(query, scores, error, best);
  }

  /**
   * The first by the scan are compared exactly: nothing belongs to the best that is worse than the worst of them by more
   * than the scan may be wrong.
   */
  #compare(query: Float32Array, scores: Float32Array, error: number, best: TopK): void {
    const first = kthLargest(scores, best.limit);
    const isFirst = (score: number) => score >= first && score !== Number.NEGATIVE_INFINITY;
    const product = this.#rows.exactly(query);
    let worst = Infinity;
    for (let slot = 0; slot < scores.length; slot++) {
      if (!isFirst(scores[slot] as number)) continue;
      const exact = this.#cosine(product, slot);
      worst = Math.min(worst, exact);
      best.offer(slot, exact);
    }
    if (first === Number.NEGATIVE_INFINITY) return;
    const least = worst - error;
    for (let slot = 0; slot < scores.length; slot++) {
      const score = scores[slot] as number;
      if (score >= least && score < first) best.offer(slot, this.#cosine(product, slot));
    }
  }

  /** Gives the cosine of a query with the vector of a slot; 0 if it has none. Valid until the next change or search. */
  cosinesWith(query: Float32Array): (slot: number) => number {
    if (query.length !== this.#rows.dimension) return () => 0;
    const product = this.#rows.exactly(query);
    return (slot) => (slot < 0 || slot >= this.#size ? 0 : this.#cosine(product, slot));
  }

  /** Renumbers: `newSlots[old]` is the new slot, or -1. New slots never exceed old ones, so rows move in place. */
  compact(newSlots: Int32Array, size: number): void {
    this.#changes++;
    const { room, rowBytes, bytes } = this.#rows;
    const scales = new Float32Array(room);
    const count = Math.min(newSlots.length, this.#size);
    // Adjacent rows move together: moving each row by itself took 13 ms for rails.
    for (let from = 0; from < count; ) {
      const target = newSlots[from] ?? -1;
      let end = from + 1;
      if (target >= 0) {
        while (end < count && newSlots[end] === target + end - from) end++;
        bytes.copyWithin(target * rowBytes, from * rowBytes, end * rowBytes);
        this.#lower.copyWithin(target * rowBytes, from * rowBytes, end * rowBytes);
        scales.set(this.#rows.scales.subarray(from, end), target);
      }
      from = end;
    }
    this.#rows.scales = scales;
    this.#size = Math.min(this.#size, size);
  }

  /** Drops all vectors: a vector of another dimension is from another model, and the old ones are not comparable. */
  #begin(dimension: number): void {
    this.#rows = new ByteRows(dimension);
    this.#size = 0;
    this.#maxRest = 0;
    this.#lower = new Int8Array();
    this.#numbers = new Float32Array(dimension);
  }

  /** How many rows there should be room for, and the bytes of their lower parts. */
  #largerFor(slots: number): { rows: number; bytes: number } {
    const { room, rowBytes } = this.#rows;
    const rows = Math.max(FIRST_ROWS, slots, Math.ceil(room * 1.25));
    return { rows, bytes: rows * rowBytes };
  }

  #grow(rows: number, lower: Int8Array<ArrayBuffer>): void {
    this.#rows.reserve(rows);
    this.#lower = lower;
  }

  /** Writes the cosines of slots by the upper bytes, and returns their maximum difference from the cosines by all bytes. */
  #scan(query: Float32Array, from: number, into: Float32Array): number {
    const rest = this.#rows.multiply(query, into, SCORING, from);
    return this.#maxRest * (vectorLength(query) || 1) + rest * (1 + this.#maxRest) + ROUNDING;
  }

  #cosine(product: ExactProduct, slot: number): number {
    return product(slot, this.#lower) * (this.#rows.scales[slot] as number);
  }
}

function dropOthers(
  scores: Float32Array,
  from: number,
  isAllowed: (slot: number) => boolean,
): void {
  for (let i = 0; i < scores.length; i++) {
    if (!isAllowed(from + i)) scores[i] = Number.NEGATIVE_INFINITY;
  }
}

/** The k-th largest number; minus infinity for fewer than k numbers. */
function kthLargest(numbers: Float32Array, k: number): number {
  const kept = new Float32Array(2 * k);
  let count = 0;
  let least = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] as number;
    if (number <= least) continue;
    kept[count++] = number;
    if (count < kept.length) continue;
    kept.sort();
    kept.copyWithin(0, k);
    count = k;
    least = kept[0] as number;
  }
  if (count < k) return Number.NEGATIVE_INFINITY;
  return kept.subarray(0, count).toSorted()[count - k] as number;
}
