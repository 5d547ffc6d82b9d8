/** The vectors of commits in bytes, and their cosines with a question's. */

import { createScan, PAGE_BYTES, ROW_ALIGNMENT } from "../common/int8-scan.ts";
import type { SmallVector } from "./lane-entry.ts";

/** Commits of one turn of the scan, whose results are kept beside the vectors. */
const SCAN_ROWS = 4096;
const FIRST_ROWS = 1024;
const GROWTH = 1.25;
const MAX_INT16 = 32_767;

type Scanning = ReturnType<typeof createScan>;

/** All of one dimension: a vector of another one begins anew. */
export class CommitVectors {
  #dimension = 0;
  #rowBytes = 0;
  #room = 0;
  /** Its memory holds the query, the results of one turn, and the rows. */
  #scanning: Scanning | undefined;
  /** Zero for a commit without a vector. */
  #scales = new Float32Array(0);

  get bytes(): number {
    return (this.#scanning?.memory.buffer.byteLength ?? 0) + this.#scales.byteLength;
  }

  set(commit: number, { values, scale }: SmallVector): void {
    if (values.length !== this.#dimension) this.#reset(values.length);
    if (commit >= this.#room) this.#grow(commit + 1);
    const { memory } = this.#scanning as Scanning;
    const row = this.#rowsAt + commit * this.#rowBytes;
    new Int8Array(memory.buffer, row, values.length).set(values);
    this.#scales[commit] = scale;
  }

  /** By commit, below `count`; zero where there is no vector. */
  cosines(query: Float32Array, count: number): Float32Array {
    const scores = new Float32Array(count);
    if (query.length !== this.#dimension || this.#scanning === undefined) return scores;
    const { memory, scan } = this.#scanning;
    const unit = this.#writeQuery(query, memory.buffer);
    const results = new Int32Array(memory.buffer, this.#resultsAt, SCAN_ROWS);
    const known = Math.min(count, this.#room);
    for (let first = 0; first < known; first += SCAN_ROWS) {
      const rows = Math.min(SCAN_ROWS, known - first);
      const at = this.#rowsAt + first * this.#rowBytes;
      scan(0, at, rows, this.#resultsAt, this.#rowBytes);
      for (let i = 0; i < rows; i++) {
        const scale = this.#scales[first + i] as number;
        scores[first + i] = (results[i] as number) * scale * unit;
      }
    }
    return scores;
  }

  /** As whole numbers, so large that no sum of products exceeds 32 bits; returns what one of them is worth. */
  #writeQuery(query: Float32Array, buffer: ArrayBuffer): number {
    const numbers = new Int16Array(buffer, 0, this.#rowBytes);
    const squares = query.reduce((sum, number) => sum + number * number, 0);
    const unit = (Math.sqrt(squares) || 1) / MAX_INT16;
    query.forEach((number, i) => {
      numbers[i] = Math.round(number / unit);
    });
    return unit;
  }

  get #resultsAt(): number {
    return this.#rowBytes * 2;
  }

  get #rowsAt(): number {
    return this.#resultsAt + SCAN_ROWS * 4;
  }

  #reset(dimension: number): void {
    this.#dimension = dimension;
    this.#rowBytes = Math.ceil(dimension / ROW_ALIGNMENT) * ROW_ALIGNMENT;
    this.#room = 0;
    this.#scanning = undefined;
    this.#scales = new Float32Array(0);
  }

  #grow(needed: number): void {
    this.#room = Math.max(FIRST_ROWS, needed, Math.ceil(this.#room * GROWTH));
    const pages = Math.ceil((this.#rowsAt + this.#room * this.#rowBytes) / PAGE_BYTES);
    if (this.#scanning === undefined) this.#scanning = createScan(pages);
    else {
      const { memory } = this.#scanning;
      memory.grow(pages - memory.buffer.byteLength / PAGE_BYTES);
    }
    const scales = new Float32Array(this.#room);
    scales.set(this.#scales);
    this.#scales = scales;
  }
}
