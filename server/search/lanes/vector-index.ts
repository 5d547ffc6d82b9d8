/** Exact nearest neighbors by cosine over the vectors of one index: a scan of bytes, and then the numbers themselves. */

import {
  createScan,
  type Memory,
  PAGE_BYTES,
  ROW_ALIGNMENT,
  type Scan,
} from "../../common/int8-scan.ts";
import { checkBounds, type PackedArrays, takeArray } from "../../common/packed/packed-arrays.ts";
import type { TopK } from "./top-k.ts";

/** Rows of one scan, whose results then are in the processor's cache. */
const SCAN_ROWS = 4096;

const MAX_INT16 = 32_767;

/** A row has room for at least as many more; an index of ten chunks costs little. */
const FIRST_ROWS = 256;

/** Far more than any model has. */
const MAX_DIMENSION = 65_536;

/** An upper byte counts for so many. */
const UPPER = 65_536;
/** The largest number of a row: its upper byte, rounded, is 127 at most. */
const MAX_NUMBER = 127 * UPPER + MAX_INT16;

/** What rounding to a float adds to a sum that is compared with another. */
const ROUNDING = 1e-6;

/**
 * Vectors of length 1 by slot; a slot without one (its embedding is pending) is never found.
 *
 * A row is stored once, as numbers of 24 bits (as many as a float has) in a scale of its own: its upper bytes in the
 * memory of the scan, the lower two beside it. The scan reads the upper ones only. As it knows by how much it may be wrong,
 * everything that can belong to the best is then compared by all 24 bits.
 */
export class VectorIndex {
  #dimension = 0;
  #rowBytes = 0;
  #room = 0;
  /** One more than the last slot that was ever set. */
  #size = 0;
  #memory: Memory | undefined;
  #scan: Scan | undefined;
  #upper = new Int8Array();
  #lower = new Int16Array();
  /** What a row's numbers are to be multiplied with; zero where there is no vector. */
  #scales = new Float32Array();
  /** The longest that the lower parts of a row ever were: how far a scan may be wrong for a query of length 1. */
  #maxRest = 0;

  /** What `pack` gave; throws DamagedArrays where it cannot be that. */
  static unpack(arrays: PackedArrays): VectorIndex {
    const index = new VectorIndex();
    const [dimension = 0, size = 0, maxRest = 0] = takeArray(arrays, "sizes", Float64Array, 3);
    checkBounds("sizes", new Float64Array([dimension]), 0, MAX_DIMENSION);
    index.#begin(dimension);
    const scales = takeArray(arrays, "scales", Float32Array, size);
    const upper = takeArray(arrays, "upper", Int8Array, size * index.#rowBytes);
    const lower = takeArray(arrays, "lower", Int16Array, size * index.#rowBytes);
    index.#size = size;
    index.#maxRest = maxRest;
    if (size === 0) return index;
    index.#room = size;
    index.#makeRoom(upper);
    index.#lower = lower;
    index.#scales = scales;
    return index;
  }

  /** As long as nothing changes. */
  pack(): PackedArrays {
    const numbers = this.#size * this.#rowBytes;
    return new Map<string, Float64Array | Float32Array | Int8Array | Int16Array>([
      ["sizes", new Float64Array([this.#dimension, this.#size, this.#maxRest])],
      ["scales", this.#scales.subarray(0, this.#size)],
      ["upper", this.#upper.subarray(0, numbers)],
      ["lower", this.#lower.subarray(0, numbers)],
    ]);
  }

  /** One more than the last slot that has a vector. */
  get size(): number {
    return this.#size;
  }

  set(slot: number, vector: Float32Array): void {
    if (vector.length !== this.#dimension) this.#begin(vector.length);
    if (slot >= this.#room) this.#grow(slot + 1);
    this.#size = Math.max(this.#size, slot + 1);
    const start = slot * this.#rowBytes;
    let largest = 0;
    for (const number of vector) largest = Math.max(largest, Math.abs(number));
    // A vector of zeros is found too, with a score of zero.
    const scale = largest === 0 ? 1 : largest / MAX_NUMBER;
    let squares = 0;
    for (let i = 0; i < vector.length; i++) {
      const number = Math.round((vector[i] as number) / scale);
      const upper = Math.round(number / UPPER);
      const lower = number - upper * UPPER;
      this.#upper[start + i] = upper;
      this.#lower[start + i] = lower;
      squares += lower * lower;
    }
    this.#scales[slot] = scale;
    this.#maxRest = Math.max(this.#maxRest, Math.sqrt(squares) * scale);
  }

  remove(slot: number): void {
    if (slot < this.#size) this.#scales[slot] = 0;
  }

  search(
    query: Float32Array,
    isAllowed: ((slot: number) => boolean) | undefined,
    best: TopK,
  ): void {
    if (this.#size === 0) return;
    if (query.length !== this.#dimension) {
      throw new Error(`the query has ${query.length} dimensions, the index ${this.#dimension}`);
    }
    const { scores, error } = this.#scanAll(query);
    if (isAllowed !== undefined) {
      for (let slot = 0; slot < scores.length; slot++) {
        if (!isAllowed(slot)) scores[slot] = Number.NEGATIVE_INFINITY;
      }
    }
    const least = kthLargest(scores, best.limit) - 2 * error;
    for (let slot = 0; slot < scores.length; slot++) {
      const score = scores[slot] as number;
      if (score >= least && score !== Number.NEGATIVE_INFINITY)
        best.offer(slot, this.#dot(query, slot));
    }
  }

  /** Renumbers: `newSlots[old]` is the new slot, or -1. New slots never exceed old ones, so rows move in place. */
  compact(newSlots: Int32Array, size: number): void {
    const scales = new Float32Array(this.#room);
    const count = Math.min(newSlots.length, this.#size);
    for (let slot = 0; slot < count; slot++) {
      const target = newSlots[slot] ?? -1;
      if (target < 0) continue;
      const [from, to] = [slot * this.#rowBytes, (slot + 1) * this.#rowBytes];
      this.#upper.copyWithin(target * this.#rowBytes, from, to);
      this.#lower.copyWithin(target * this.#rowBytes, from, to);
      scales[target] = this.#scales[slot] as number;
    }
    this.#scales = scales;
    this.#size = Math.min(this.#size, size);
  }

  /** A vector of another length belongs to another model: what was there cannot be compared with it. */
  #begin(dimension: number): void {
    this.#dimension = dimension;
    this.#rowBytes = Math.ceil(dimension / ROW_ALIGNMENT) * ROW_ALIGNMENT;
    this.#room = 0;
    this.#size = 0;
    this.#maxRest = 0;
    this.#memory = undefined;
    this.#lower = new Int16Array();
    this.#scales = new Float32Array();
  }

  /** In the memory: the query, the results of one scan, the rows. */
  get #resultsAt(): number {
    return this.#rowBytes * 2;
  }

  get #rowsAt(): number {
    return this.#resultsAt + SCAN_ROWS * 4;
  }

  #grow(needed: number): void {
    this.#room = Math.max(FIRST_ROWS, needed, Math.ceil(this.#room * 1.25));
    this.#makeRoom();
    const lower = new Int16Array(this.#room * this.#rowBytes);
    lower.set(this.#lower);
    this.#lower = lower;
    const scales = new Float32Array(this.#room);
    scales.set(this.#scales);
    this.#scales = scales;
  }

  /** For the upper bytes of as many rows as there is room for; `first` are those of the first rows. */
  #makeRoom(first?: Int8Array): void {
    const pages = Math.ceil((this.#rowsAt + this.#room * this.#rowBytes) / PAGE_BYTES);
    if (this.#memory === undefined) {
      const { memory, scan } = createScan(pages);
      this.#memory = memory;
      this.#scan = scan;
    } else this.#memory.grow(pages - this.#memory.buffer.byteLength / PAGE_BYTES);
    this.#upper = new Int8Array(this.#memory.buffer, this.#rowsAt, this.#room * this.#rowBytes);
    if (first !== undefined) this.#upper.set(first);
  }

  /** The cosine of every slot by the upper bytes, and by how much it may differ from the one by all. */
  #scanAll(query: Float32Array): { scores: Float32Array; error: number } {
    const { buffer } = this.#memory as Memory;
    const numbers = new Int16Array(buffer, 0, this.#rowBytes);
    const results = new Int32Array(buffer, this.#resultsAt, SCAN_ROWS);
    const length = lengthOf(query) || 1;
    // No sum of products exceeds 32 bits: by Cauchy and Schwarz, as the query is no longer than this, and a row's bytes are 127.
    const unit = length / MAX_INT16;
    let squares = 0;
    for (let i = 0; i < query.length; i++) {
      const number = Math.round((query[i] as number) / unit);
      numbers[i] = number;
      squares += ((query[i] as number) - number * unit) ** 2;
    }
    const scores = new Float32Array(this.#size);
    for (let first = 0; first < this.#size; first += SCAN_ROWS) {
      const count = Math.min(SCAN_ROWS, this.#size - first);
      const rows = this.#rowsAt + first * this.#rowBytes;
      this.#scan?.(0, rows, count, this.#resultsAt, this.#rowBytes);
      for (let i = 0; i < count; i++) {
        const scale = this.#scales[first + i] as number;
        scores[first + i] =
          scale === 0 ? Number.NEGATIVE_INFINITY : (results[i] as number) * scale * unit * UPPER;
      }
    }
    const queryError = Math.sqrt(squares) * (1 + this.#maxRest);
    return { scores, error: this.#maxRest * length + queryError + ROUNDING };
  }

  #dot(query: Float32Array, slot: number): number {
    const sum = dot(query, this.#upper, this.#lower, slot * this.#rowBytes);
    return sum * (this.#scales[slot] as number);
  }
}

function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (const number of vector) squares += number * number;
  return Math.sqrt(squares);
}

/** Four sums at once keep the processor's pipeline full. */
function dot(query: Float32Array, upper: Int8Array, lower: Int16Array, start: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const whole = query.length & ~1;
  for (let i = 0; i < whole; i += 2) {
    const at = start + i;
    const first = query[i] as number;
    const second = query[i + 1] as number;
    a += first * (upper[at] as number);
    b += second * (upper[at + 1] as number);
    c += first * (lower[at] as number);
    d += second * (lower[at + 1] as number);
  }
  if (whole < query.length) {
    a += (query[whole] as number) * (upper[start + whole] as number);
    c += (query[whole] as number) * (lower[start + whole] as number);
  }
  return (a + b) * UPPER + (c + d);
}

/** The k-th largest; minus infinity where there are fewer. */
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
