/** BM25 over weighted words: an inverted index that grows and shrinks with the files. */

import { isWhole, stem, termsOf } from "../query/stem.ts";
import { type Field, lengthOf, MAX_COUNT, quantise, STEPS } from "./fields.ts";
import type { TopK } from "./top-k.ts";

/** How soon repeating a word stops helping. Lucene and Robertson's own experiments use 1.2 to 1.5. */
export const K1 = 1.5;

/** How much a long chunk is held against it, 0 to 1. */
export const B = 0.75;

/** A posting is one number: the slot above, the quantised occurrences below. */
const COUNT_BITS = 8;

/** How rare words are, and how long chunks, in a whole index. */
export interface WordStatistics {
  /** By the term as `termsOf` makes it. */
  idfOf(term: string): number;
  averageLength(): number;
}

/** Lucene's inverse document frequency: never negative. */
export function inverseFrequency(chunks: number, frequency: number): number {
  return Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5));
}

/** The occurrences of each term of a query, in the order of the query, so that sums are the same on any index. */
export function queryTerms(words: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const term of termsOf(words)) times.set(term, (times.get(term) ?? 0) + 1);
  return times;
}

/**
 * Postings are kept in one typed array; a full list moves to the end with twice the capacity.
 * Removed slots stay in the lists until `compact`; they are skipped, and not counted, by every query.
 */
export class Bm25 implements WordStatistics {
  readonly #background: WordStatistics | undefined;
  readonly #stems = new Map<string, number>();
  readonly #wholes = new Map<string, number>();
  readonly #terms = new Map<string, number>();
  #starts: number[] = [];
  #counts: number[] = [];
  #rooms: number[] = [];
  #arena = new Uint32Array(1 << 12);
  #used = 0;
  /** Length in words by slot; zero for a slot that was removed. */
  #lengths = new Int32Array(1 << 10);
  #live = 0;
  #dead = 0;
  #totalLength = 0;
  #scores = new Float64Array(1 << 10);
  /** Occurrences by term of the chunk that is being added. */
  #occurrences = new Float64Array(1 << 10);

  /** With a background, words are as rare and chunks as long as there: a handful of chunks has no statistics of its own. */
  constructor(background?: WordStatistics) {
    this.#background = background;
  }

  /** Adds a chunk under a slot that is new. Its length is that of its first field. */
  add(slot: number, fields: readonly Field[]): void {
    const touched: number[] = [];
    for (const { words, weight } of fields) {
      for (let i = 0; i < words.length; i++) {
        const term = this.#intern(words, i);
        if (this.#occurrences[term] === 0) touched.push(term);
        this.#occurrences[term] = (this.#occurrences[term] ?? 0) + weight * STEPS;
      }
    }
    for (const term of touched) {
      this.#push(term, slot, quantise(this.#occurrences[term] ?? 0));
      this.#occurrences[term] = 0;
    }
    if (slot >= this.#lengths.length) {
      this.#lengths = grown(this.#lengths, slot + 1);
      this.#scores = new Float64Array(this.#lengths.length);
    }
    const length = lengthOf(fields);
    this.#lengths[slot] = length;
    this.#totalLength += length;
    this.#live++;
  }

  remove(slot: number): void {
    this.#totalLength -= this.#lengths[slot] ?? 0;
    this.#lengths[slot] = 0;
    this.#live--;
    this.#dead++;
  }

  /**
   * Offers every allowed chunk that has one of the words. The score is the share of the best attainable one
   * (every word, endlessly often), so that scores of different indexes can be compared.
   */
  search(
    words: readonly string[],
    isAllowed: ((slot: number) => boolean) | undefined,
    best: TopK,
  ): void {
    const averageLength = (this.#background ?? this).averageLength();
    const touched: number[] = [];
    let attainable = 0;
    for (const [text, times] of queryTerms(words)) {
      const term = this.#terms.get(text);
      const idf = this.#background?.idfOf(text) ?? this.#idf(term);
      attainable += times * idf;
      if (term !== undefined) this.#score(term, times * idf, averageLength, touched);
    }
    for (const slot of touched) {
      const score = this.#scores[slot] ?? 0;
      this.#scores[slot] = 0;
      if (isAllowed === undefined || isAllowed(slot)) best.offer(slot, score / attainable);
    }
  }

  /** Drops what was removed and renumbers: `newSlots[old]` is the new slot, or -1. */
  compact(newSlots: Int32Array, size: number): void {
    const lengths = new Int32Array(Math.max(this.#lengths.length, size));
    for (let slot = 0; slot < newSlots.length; slot++) {
      const target = newSlots[slot] ?? -1;
      if (target >= 0) lengths[target] = this.#lengths[slot] ?? 0;
    }
    const old = { arena: this.#arena, starts: this.#starts, counts: this.#counts };
    this.#lengths = lengths;
    this.#arena = new Uint32Array(Math.max(1 << 12, this.#used));
    this.#used = 0;
    this.#dead = 0;
    [this.#starts, this.#counts, this.#rooms] = [[], [], []];
    old.starts.forEach((start, term) => {
      this.#newList();
      for (let i = start; i < start + (old.counts[term] ?? 0); i++) {
        const posting = old.arena[i] ?? 0;
        const slot = newSlots[posting >>> COUNT_BITS] ?? -1;
        if (slot >= 0) this.#push(term, slot, posting & MAX_COUNT);
      }
    });
  }

  #score(term: number, weight: number, averageLength: number, touched: number[]): void {
    const [arena, lengths, scores] = [this.#arena, this.#lengths, this.#scores];
    const start = this.#starts[term] ?? 0;
    const end = start + (this.#counts[term] ?? 0);
    for (let i = start; i < end; i++) {
      const posting = arena[i] as number;
      const slot = posting >>> COUNT_BITS;
      const length = lengths[slot] as number;
      if (length === 0) continue;
      const occurrences = (posting & MAX_COUNT) / STEPS;
      const before = scores[slot] as number;
      if (before === 0) touched.push(slot);
      const room = K1 * (1 - B + (B * length) / averageLength);
      scores[slot] = before + (weight * occurrences) / (room + occurrences);
    }
  }

  idfOf(text: string): number {
    return this.#idf(this.#terms.get(text));
  }

  averageLength(): number {
    return this.#live === 0 ? 1 : this.#totalLength / this.#live;
  }

  #idf(term: number | undefined): number {
    return inverseFrequency(this.#live, term === undefined ? 0 : this.#frequency(term));
  }

  #frequency(term: number): number {
    const start = this.#starts[term] ?? 0;
    const count = this.#counts[term] ?? 0;
    if (this.#dead === 0) return count;
    let frequency = 0;
    for (let i = start; i < start + count; i++) {
      if (this.#lengths[(this.#arena[i] ?? 0) >>> COUNT_BITS] !== 0) frequency++;
    }
    return frequency;
  }

  #intern(words: readonly string[], at: number): number {
    const word = words[at] ?? "";
    const cache = isWhole(words, at) ? this.#wholes : this.#stems;
    const cached = cache.get(word);
    if (cached !== undefined) return cached;
    const text = cache === this.#wholes ? word : stem(word);
    let term = this.#terms.get(text);
    if (term === undefined) {
      term = this.#newList();
      this.#terms.set(text, term);
    }
    cache.set(word, term);
    return term;
  }

  #newList(): number {
    const term = this.#starts.length;
    this.#starts.push(0);
    this.#counts.push(0);
    this.#rooms.push(0);
    if (term >= this.#occurrences.length) this.#occurrences = grown(this.#occurrences, term + 1);
    return term;
  }

  #push(term: number, slot: number, count: number): void {
    const length = this.#counts[term] ?? 0;
    if (length === this.#rooms[term]) this.#move(term, length === 0 ? 2 : length * 2);
    this.#arena[(this.#starts[term] ?? 0) + length] = ((slot << COUNT_BITS) | count) >>> 0;
    this.#counts[term] = length + 1;
  }

  #move(term: number, room: number): void {
    if (this.#used + room > this.#arena.length) this.#arena = grown(this.#arena, this.#used + room);
    const start = this.#starts[term] ?? 0;
    this.#arena.copyWithin(this.#used, start, start + (this.#counts[term] ?? 0));
    this.#starts[term] = this.#used;
    this.#rooms[term] = room;
    this.#used += room;
  }
}

/** A copy with room for at least `needed` numbers, half as much again as before. */
function grown<T extends Int32Array | Uint32Array | Float64Array>(array: T, needed: number): T {
  const Type = array.constructor as new (length: number) => T;
  const larger = new Type(Math.max(needed, Math.ceil(array.length * 1.5)));
  larger.set(array);
  return larger;
}
