/** Rows of signed bytes, each with a scale of its own, in the memory of the scan that multiplies them with a query. */

import {
  createProducts,
  type Dot,
  type Memory,
  PAGE_BYTES,
  ROW_ALIGNMENT,
  type Scan,
} from "./int8-scan.ts";

/** Rows of one scan, whose results then are in the processor's cache. */
const SCAN_ROWS = 4096;

const MAX_INT16 = 32_767;

/** How the products of rows become scores. */
export interface Scoring {
  /** What the products are multiplied with besides the row's scale. */
  readonly factor: number;
  /** The score of a row whose scale is zero. */
  readonly absent: number;
}

/** The product of a query with one row, whose numbers have the row's bytes above the eight bits that are given. */
export type ExactProduct = (row: number, lower: Int8Array) => number;

/** In the memory: the query, the results of one scan, the query in floats, the lower bits of one row, the rows. */
export class ByteRows {
  readonly dimension: number;
  /** From one row to the next. */
  readonly rowBytes: number;
  /** The bytes of all rows there is room for; another view after `reserve`. */
  bytes = new Int8Array();
  /** What a row's numbers are to be multiplied with; zero where there is no row. */
  scales = new Float32Array();
  #memory: Memory | undefined;
  #scan: Scan | undefined;
  #dot: Dot | undefined;

  constructor(dimension = 0) {
    this.dimension = dimension;
    this.rowBytes = Math.ceil(dimension / ROW_ALIGNMENT) * ROW_ALIGNMENT;
  }

  /** How many rows there is room for. */
  get room(): number {
    return this.scales.length;
  }

  get allocatedBytes(): number {
    return (this.#memory?.buffer.byteLength ?? 0) + this.scales.byteLength;
  }

  /** Makes room for this many rows, more than there is room for now. */
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
   * Writes the scores of rows, from `start` on, with a query of the same dimension; there is room for as many. Returns the
   * length of what rounding took from the query.
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

  /** For a query of the same dimension, until there is another; `lower` has as many numbers as a row has bytes. */
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
      lowerPart.set(lower);
      return dot(start, rows + row * bytes, end, end);
    };
  }

  /** As whole numbers of which one is worth `unit`. */
  #writeQuery(query: Float32Array, buffer: ArrayBuffer): { unit: number; rest: number } {
    const numbers = new Int16Array(buffer, 0, this.rowBytes);
    // No sum of products exceeds 32 bits: by Cauchy and Schwarz, as the query is no longer than this, and a row's bytes are 127.
    const unit = (lengthOf(query) || 1) / MAX_INT16;
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

export function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2;
  return Math.sqrt(squares);
}
