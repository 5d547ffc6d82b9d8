/** Keeps the best of many scored things without sorting them all. */

import type { Candidate } from "../../contracts/lanes.ts";

/** Decides between equal scores; smaller than zero when `a` comes first. */
export type TieBreak = (a: number, b: number) => number;

/**
 * The `limit` best candidates, best first.
 *
 * A binary heap with the worst kept candidate on top: most chunks are turned away by one comparison. It is two lists of
 * numbers, since a candidate for each chunk that is kept for a while would be garbage.
 */
export class TopK {
  readonly limit: number;
  readonly #tieBreak: TieBreak;
  readonly #chunks: number[] = [];
  readonly #scores: number[] = [];

  constructor(limit: number, tieBreak: TieBreak) {
    this.limit = limit;
    this.#tieBreak = tieBreak;
  }

  /** A candidate with a lower score is not kept. */
  get least(): number {
    if (this.#scores.length < this.limit) return Number.NEGATIVE_INFINITY;
    return this.#scores[0] ?? Infinity;
  }

  offer(chunk: number, score: number): void {
    const size = this.#scores.length;
    if (size < this.limit) {
      this.#rise(size, chunk, score);
    } else if (size > 0 && this.#isWorseAt(0, chunk, score)) {
      this.#sink(chunk, score);
    }
  }

  best(): Candidate[] {
    const kept = this.#chunks.map((chunk, i) => ({ chunk, score: this.#scores[i] as number }));
    return kept.toSorted((a, b) => b.score - a.score || this.#tieBreak(a.chunk, b.chunk));
  }

  /** Whether the candidate at a place of the heap is worse than another. */
  #isWorseAt(at: number, chunk: number, score: number): boolean {
    const own = this.#scores[at] as number;
    return own === score ? this.#tieBreak(this.#chunks[at] as number, chunk) > 0 : own < score;
  }

  #set(at: number, chunk: number, score: number): void {
    this.#chunks[at] = chunk;
    this.#scores[at] = score;
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#chunks[from] as number, this.#scores[from] as number);
  }

  /** Adds a candidate at the end: better ones above it move down. */
  #rise(end: number, chunk: number, score: number): void {
    let at = end;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isWorseAt(parent, chunk, score)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, chunk, score);
  }

  /** Replaces the worst candidate: worse ones below the new one move up. */
  #sink(chunk: number, score: number): void {
    const { length } = this.#scores;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const other = child + 1;
      if (child >= length) break;
      if (other < length) {
        const [otherChunk, otherScore] = [this.#chunks[other], this.#scores[other]];
        if (!this.#isWorseAt(child, otherChunk as number, otherScore as number)) child = other;
      }
      if (!this.#isWorseAt(child, chunk, score)) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, chunk, score);
  }
}
