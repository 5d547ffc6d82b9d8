/** The int8 vectors of commits, and their cosines with a query's vector. */

import { ByteRows } from "../common/byte-rows.ts";
import type { SmallVector } from "./lane-entry.ts";

const FIRST_ROWS = 1024;
const GROWTH = 1.25;

const SCORING = { factor: 1, absent: 0 };

/** All vectors have one dimension; setting one of another dimension drops the others. */
export class CommitVectors {
  #rows = new ByteRows();

  set(commit: number, { values, scale }: SmallVector): void {
    if (values.length !== this.#rows.dimension) this.#rows = new ByteRows(values.length);
    const { room } = this.#rows;
    if (commit >= room) {
      this.#rows.reserve(Math.max(FIRST_ROWS, commit + 1, Math.ceil(room * GROWTH)));
    }
    this.#rows.bytes.set(values, commit * this.#rows.rowBytes);
    this.#rows.scales[commit] = scale;
  }

  /** By commit number, below `count`; 0 for commits without a vector. */
  cosines(query: Float32Array, count: number): Float32Array {
    const scores = new Float32Array(count);
    if (query.length !== this.#rows.dimension) return scores;
    const known = Math.min(count, this.#rows.room);
    this.#rows.multiply(query, scores.subarray(0, known), SCORING);
    return scores;
  }
}
