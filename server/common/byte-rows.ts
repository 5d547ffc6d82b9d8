/** Quantized vectors: rows of signed bytes with one scale each, in the WebAssembly memory of the SIMD scan. */

import {
  createProducts,
  type Dot,
  type Memory,
  PAGE_BYTES,
  ROW_ALIGNMENT,
  type Scan,
} from "./int8-scan.ts";

/** Rows per call of the scan, so that its results stay in the processor's cache. */
const SCAN_ROWS = 4096;

const MAX_INT16 = 32_767;

/** The conversion of dot products into scores. */
interface Scoring {
  /** A factor for all products, besides the row's scale. */
  readonly factor: number;
  /** The score of an empty slot, which has the scale zero. */
  readonly absent: number;
}

/** The dot product with one row of 16-bit numbers: the row has the upper bytes, `lower` the lower bytes of all rows. */
export type ExactProduct = (row: number, lower: Int8Array) => number;

/** Memory layout: the query, the results of one scan, the query as floats, the lower bytes of one row, the rows. */
export class ByteRows {
  readonly dimension: number;
  /** The distance between two rows in bytes. */
  readonly rowBytes: number;
  /** The bytes of all rows within the capacity. `reserve` replaces the view. */
  bytes = new Int8Array();
  /** The scale of each row; zero for an empty slot. */
  scales = new Float32Array();
  #memory: Memory | undefined;
  #scan: Scan | undefined;
  #dot: Dot | undefined;

  constructor(dimension = 0) {
    this.dimension = dimension;
    this.rowBytes = Math.ceil(dimension / ROW_ALIGNMENT) * ROW_ALIGNMENT;
  }

  /** The capacity in rows. */
  get room(): number {
    return this.scales.length;
  }

  /** Grows to this many rows, which must be more than the current capacity. */
  reserve(room: number): void {
    const pages = Math.ceil((this.#rowsAt + room * this.rowBytes) / PAGE_BYTES);
    if (this.#memory === undefined) {
      const { memory, scan, dot } = createProducts(pages);
      this.#memory = memory;
      this.#scan = scan;
      this.#dot = dot;
    } else this.#memory.grow(pages - this.#memory.buffer.byteLength / PAGE_BYTES);
    this.bytes = new Int8Array(this.#memory.buffer, this.#rowsAt, room * this.rowBytes);
    const scales = new Float32Array(room);
    scales.set(this.scales);
    this.scales = scales;
  }

  /**
   * Writes the scores of the rows from `start` on into `into`. The query has the same dimension. Returns the length of the
   * query's rounding error, for an upper bound of each score's error.
   */
  multiply(query: Float32Array, into: Float32Array, scoring: Scoring, start = 0): number {
    if (this.#memory === undefined) return 0;
    const { factor, absent } = scoring;
    const { buffer } = this.#memory;
    const results = new Int32Array(buffer, this.#resultsAt, SCAN_ROWS);
    const { unit, rest } = this.#writeQuery(query, buffer);
    for (let first = 0; first < into.length; first += SCAN_ROWS) {
      const rows = Math.min(SCAN_ROWS, into.length - first);
      const row = start + first;
      this.#scan?.(0, this.#rowsAt + row * this.rowBytes, rows, this.#resultsAt, this.rowBytes);
      for (let i = 0; i < rows; i++) {
        const scale = this.scales[row + i] as number;
        into[first + i] = scale === 0 ? absent : (results[i] as number) * scale * unit * factor;
      }
    }
    return rest;
  }

  /** Returns the exact product for a query of the same dimension, valid until the next call. */
  exactly(query: Float32Array): ExactProduct {
    const [memory, dot] = [this.#memory, this.#dot];
    if (memory === undefined || dot === undefined) return () => 0;
    const [start, end] = [this.#floatsAt, this.#lowerAt];
    const floats = new Float64Array(memory.buffer, start, this.rowBytes);
    floats.fill(0);
    floats.set(query);
    const lowerPart = new Int8Array(memory.buffer, end, this.rowBytes);
    const [rows, bytes] = [this.#rowsAt, this.rowBytes];
    return (row, lower) => {
      // Copied one by one: a view of each row would be as slow, and garbage.
      for (let i = 0, from = row * bytes; i < bytes; i++) lowerPart[i] = lower[from + i] as number;
      return dot(start, rows + row * bytes, end, end);
    };
  }

  /** Writes the query as 16-bit integers in steps of `unit`. */
  #writeQuery(query: Float32Array, buffer: ArrayBuffer): { unit: number; rest: number } {
    const numbers = new Int16Array(buffer, 0, this.rowBytes);
    // By the Cauchy-Schwarz inequality no sum of products exceeds 32 bits: the query has at most this length, bytes are at most 127.
    const unit = (vectorLength(query) || 1) / MAX_INT16;
    let squares = 0;
    for (let i = 0; i < query.length; i++) {
      const number = Math.round((query[i] as number) / unit);
      numbers[i] = number;
      squares += ((query[i] as number) - number * unit) ** 2;
    }
    return { unit, rest: Math.sqrt(squares) };
  }

  get #resultsAt(): number {
    return this.rowBytes * 2;
  }

  get #floatsAt(): number {
    return this.#resultsAt + SCAN_ROWS * 4;
  }

  get #lowerAt(): number {
    return this.#floatsAt + this.rowBytes * 8;
  }

  get #rowsAt(): number {
    return this.#lowerAt + this.rowBytes;
  }
}

export function vectorLength(vector: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2;
  return Math.sqrt(squares);
}
