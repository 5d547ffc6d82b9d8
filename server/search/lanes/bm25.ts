/** The keyword lane: BM25 over weighted words, with an inverted index that grows and shrinks with the files. */

import { NumberLists } from "../../common/packed/number-lists.ts";
import {
  checkBounds,
  DamagedArrays,
  grown,
  type PackedArrays,
  packParts,
  partOf,
  takeArray,
} from "../../common/packed/packed-arrays.ts";
import { StringTable } from "../../common/packed/string-table.ts";
import { inverseFrequency, saturated, saturationOf } from "../../common/ranking/bm25-formula.ts";
import type { TopK } from "../../common/ranking/top-k.ts";
import { createWorkCounter } from "../../common/work-counter.ts";
import {
  type ChunkTerms,
  COUNT_BITS,
  type FileTerms,
  MAX_COUNT,
  STEPS,
} from "../../contracts/file-terms.ts";
import { termsOf } from "../query/stem.ts";
import { type Field, lengthOf, quantize } from "./fields.ts";

/** Distinct words of an average chunk. */
const CHUNK_TERMS = 100;
/** A full list moves to twice its capacity: each new posting needs room for at most three. */
const MOVED = 3;

/** Postings per step: about a millisecond. */
const POSTINGS_AT_ONCE = 65_536;
/** Slots per step whose scores are offered: a tenth of a millisecond, or about a millisecond with a filter. */
const SLOTS_AT_ONCE = 65_536;

/** Cached frequencies: the terms of some hundred queries, in about 100 kB. */
const MAX_FREQUENCIES = 2_000;

/** Inverse document frequencies and average chunk length of an index. */
export interface WordStatistics {
  /** `term` is a stemmed term, as `termsOf` returns it. */
  idfOf(term: string): number;
  averageLength(): number;
}

/** The weight of a related word, as a share of a word of the query; measured in test/ranking/natural.md. */
export const RELATED_WEIGHT = 0.25;

interface WeightedTerms {
  /** By term, in a fixed order. */
  readonly weights: ReadonlyMap<string, number>;
  /** The terms of the query itself; only they count toward the upper bound of the score. */
  readonly own: ReadonlyMap<string, number>;
}

/** The scores of a running query. */
interface Sums {
  /** By slot; all zero before the query. */
  readonly scores: Float64Array;
  /** By slot: the saturation of its length, 0 for a removed slot. */
  readonly saturations: Float64Array;
}

/** A score whose share is at least the least that is kept is never below this part of it, however both were rounded. */
const ROUNDING = 1 - 1e-12;

/** Offers the scores of one step, from a slot on. A function, since a loop within the generator is twice as slow. */
function offerScores(
  scores: Float64Array,
  from: number,
  attainable: number,
  isAllowed: ((slot: number) => boolean) | undefined,
  best: TopK,
): void {
  const end = Math.min(from + SLOTS_AT_ONCE, scores.length);
  // One comparison turns most slots away, and all that no word of the query is in.
  const barOf = () => Math.max(Number.MIN_VALUE, Math.max(0, best.least) * attainable * ROUNDING);
  let bar = barOf();
  for (let slot = from; slot < end; slot++) {
    const score = scores[slot] as number;
    if (score < bar || isAllowed?.(slot) === false) continue;
    best.offer(slot, Math.min(1, score / attainable));
    bar = barOf();
  }
}

/**
 * Whether all posting lists but the first contain the slot. The lists are sorted by slot; `places` are the positions of
 * the previous, smaller slot in each.
 */
function haveSlot(lists: readonly Uint32Array[], places: Uint32Array, slot: number): boolean {
  for (let i = 1; i < lists.length; i++) {
    const list = lists[i] as Uint32Array;
    const place = placeOf(list, slot, places[i] as number);
    places[i] = place;
    if (place >= list.length || (list[place] as number) >>> COUNT_BITS !== slot) return false;
  }
  return true;
}

/** The index of the first posting at or after `from` with a slot of at least `slot`: galloping, then binary search. */
function placeOf(list: Uint32Array, slot: number, from: number): number {
  let low = from;
  let step = 1;
  while (low + step < list.length && (list[low + step] as number) >>> COUNT_BITS < slot) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, list.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) >>> COUNT_BITS < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The frequency of each term of a query, in query order, so that floating-point sums are the same in every index. */
function queryTerms(words: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const term of termsOf(words)) times.set(term, (times.get(term) ?? 0) + 1);
  return times;
}

/** The terms of a query with their weights; a related word that the query has itself counts once, as its own. */
export function weighTerms(
  words: readonly string[],
  related: readonly string[] = [],
): WeightedTerms {
  const own = queryTerms(words);
  const weights = new Map(own);
  for (const term of termsOf(related)) if (!own.has(term)) weights.set(term, RELATED_WEIGHT);
  return { weights, own };
}

/**
 * Postings are lists in one typed array.
 * Removed slots stay in the lists until `compact`; queries skip them and do not count them.
 */
export class Bm25 implements WordStatistics {
  readonly #background: WordStatistics | undefined;
  #terms = new StringTable();
  /** Posting lists by term. A posting is one number: the slot in the high bits, the quantized frequency in the low bits. */
  #postings = new NumberLists(Uint32Array);
  /** Length in words by slot; zero for a removed slot. */
  #lengths = new Int32Array(1 << 10);
  #live = 0;
  #dead = 0;
  #totalLength = 0;
  /** A zeroed score array by slot, which one search borrows until it ends. */
  #scores: Float64Array | undefined;
  /** The saturations of the last search and their average length, while no length has changed. */
  #saturations: { readonly averageLength: number; readonly bySlot: Float64Array } | undefined;
  /** By term: the number of its chunks that are not removed, while no chunk is removed. */
  readonly #frequencies = new Map<number, number>();
  /** Term frequencies of the chunk that is being added. */
  #occurrences = new Float64Array(1 << 10);
  /** The file of the last chunk that `addCounted` added, and the numbers of its terms here; -1 for a term without one. */
  #lastFile: FileTerms | undefined;
  #lastNumbers = new Int32Array();

  /** `background` gives the statistics of a larger index: a handful of chunks has none of its own. */
  constructor(background?: WordStatistics) {
    this.#background = background;
  }

  /** Reserves capacity for this many more chunks, in steps. */
  makeRoom(chunks: number): Generator<void, void> {
    return this.#postings.makeRoom(chunks * CHUNK_TERMS * MOVED);
  }

  /** Adds a chunk under a new slot. The length of its first field is the chunk's length. */
  add(slot: number, fields: readonly Field[]): void {
    const touched: number[] = [];
    for (const { terms, weight } of fields) {
      for (const text of terms) {
        const term = this.#terms.intern(text);
        if (term >= this.#occurrences.length)
          this.#occurrences = grown(this.#occurrences, term + 1);
        if (this.#occurrences[term] === 0) touched.push(term);
        this.#occurrences[term] = (this.#occurrences[term] as number) + weight * STEPS;
      }
    }
    for (const term of touched) {
      const count = quantize(this.#occurrences[term] as number);
      this.#postings.push(term, ((slot << COUNT_BITS) | count) >>> 0);
      this.#occurrences[term] = 0;
    }
    this.#setLength(slot, lengthOf(fields));
  }

  /** The same for a chunk whose terms a worker thread counted. */
  addCounted(slot: number, { file, chunk }: ChunkTerms): void {
    const { counts, countEnds, lengths } = file;
    const numbers = this.#numbersOf(file);
    const end = countEnds[chunk] as number;
    for (let i = chunk === 0 ? 0 : (countEnds[chunk - 1] as number); i < end; i++) {
      const counted = counts[i] as number;
      const own = counted >>> COUNT_BITS;
      let term = numbers[own] as number;
      if (term < 0) {
        const start = own === 0 ? 0 : (file.ends[own - 1] as number);
        const [last, hash] = [file.ends[own] as number, file.hashes[own] as number];
        term = this.#terms.internBytes(file.bytes, start, last, hash);
        numbers[own] = term;
      }
      this.#postings.push(term, ((slot << COUNT_BITS) | (counted & MAX_COUNT)) >>> 0);
    }
    this.#setLength(slot, lengths[chunk] as number);
  }

  /** Cached for one file, since the chunks of a file are added one after the other. */
  #numbersOf(file: FileTerms): Int32Array {
    if (this.#lastFile !== file) {
      this.#lastFile = file;
      this.#lastNumbers = new Int32Array(file.ends.length).fill(-1);
    }
    return this.#lastNumbers;
  }

  #setLength(slot: number, length: number): void {
    if (slot >= this.#lengths.length) {
      this.#lengths = grown(this.#lengths, slot + 1);
      this.#scores = undefined;
    }
    this.#lengths[slot] = length;
    this.#totalLength += length;
    this.#live++;
    this.#lengthsChanged();
  }

  #lengthsChanged(): void {
    this.#saturations = undefined;
    if (this.#frequencies.size > 0) this.#frequencies.clear();
  }

  /** Restores an index of this many slots from the arrays of `pack`, in steps; throws DamagedArrays if they are inconsistent. */
  static *unpack(arrays: PackedArrays, slots: number): Generator<void, Bm25> {
    const bm25 = new Bm25();
    bm25.#terms = StringTable.unpack(partOf(arrays, "terms"));
    yield;
    bm25.#postings = NumberLists.unpack(
      partOf(arrays, "postings"),
      Uint32Array,
      slots * 2 ** COUNT_BITS,
    );
    if (bm25.#postings.size > bm25.#terms.size) throw new DamagedArrays("a term is missing");
    yield;
    bm25.#lengths = takeArray(arrays, "lengths", Int32Array, slots);
    checkBounds("lengths", bm25.#lengths, 0, Infinity);
    for (const length of bm25.#lengths) {
      bm25.#totalLength += length;
      if (length > 0) bm25.#live++;
      else bm25.#dead++;
    }
    bm25.#occurrences = new Float64Array(bm25.#terms.size);
    return bm25;
  }

  /** The arrays are valid until the next change. */
  *pack(slots: number): Generator<void, PackedArrays> {
    const postings = yield* this.#postings.pack();
    return new Map([
      ...packParts({ terms: this.#terms.pack(), postings }),
      ["lengths", this.#lengths.subarray(0, slots)],
    ]);
  }

  /** Releases unused capacity, in steps; a change between two steps is not allowed. */
  trim(): Generator<void, void> {
    return this.#postings.trim();
  }

  remove(slot: number): void {
    this.#totalLength -= this.#lengths[slot] as number;
    this.#lengths[slot] = 0;
    this.#live--;
    this.#dead++;
    this.#lengthsChanged();
  }

  /**
   * Offers each allowed chunk that has one of the words. The score is a share of the upper bound (every word with
   * saturated frequency), at most 1, so that scores of several indexes are comparable. Between two steps, chunks may be added and
   * removed, which the search does not see, but not renumbered.
   */
  *search(
    words: readonly string[],
    isAllowed: ((slot: number) => boolean) | undefined,
    best: TopK,
    related: readonly string[] = [],
    rarityOf: (term: string) => number = (term) => (this.#background ?? this).idfOf(term),
  ): Generator<void, void> {
    const averageLength = (this.#background ?? this).averageLength();
    const scores = this.#scores ?? new Float64Array(this.#lengths.length);
    this.#scores = undefined;
    const sums: Sums = { scores, saturations: this.#saturationsFor(averageLength) };
    const isStep = createWorkCounter(POSTINGS_AT_ONCE);
    let attainable = 0;
    const { weights, own } = weighTerms(words, related);
    for (const [text, weight] of weights) {
      const term = this.#terms.find(text);
      const idf = rarityOf(text);
      if (own.has(text)) attainable += weight * idf;
      if (term < 0) continue;
      this.#score(term, weight * idf, sums);
      if (isStep(this.#postings.count(term))) yield;
    }
    for (let from = 0; from < scores.length; from += SLOTS_AT_ONCE) {
      if (from > 0) yield;
      offerScores(scores, from, attainable, isAllowed, best);
    }
    scores.fill(0);
    if (scores.length >= this.#lengths.length) this.#scores = scores;
  }

  /**
   * The allowed chunks that contain all terms, in steps: at most `limit`, in insertion order. A change between two steps
   * may be missed.
   */
  *containing(
    texts: readonly string[],
    isAllowed: ((slot: number) => boolean) | undefined,
    limit: number,
  ): Generator<void, number[]> {
    const terms = texts.map((text) => this.#terms.find(text));
    if (terms.length === 0 || terms.includes(-1)) return [];
    terms.sort((a, b) => this.#postings.count(a) - this.#postings.count(b));
    const isStep = createWorkCounter(POSTINGS_AT_ONCE);
    const found: number[] = [];
    const places = new Uint32Array(terms.length);
    let lists = terms.map((term) => this.#postings.get(term));
    for (let i = 0; i < (lists[0] as Uint32Array).length; i++) {
      const slot = ((lists[0] as Uint32Array)[i] as number) >>> COUNT_BITS;
      const isLive = this.#lengths[slot] !== 0;
      if (isLive && haveSlot(lists, places, slot) && isAllowed?.(slot) !== false) {
        found.push(slot);
        if (found.length >= limit) break;
      }
      if (!isStep(terms.length)) continue;
      yield;
      // Between two steps, lists may move and grow at their ends.
      lists = terms.map((term) => this.#postings.get(term));
    }
    return found;
  }

  /** Whether one of these slots is allowed and contains the term. The slots of a file are one behind the other, so few are looked up. */
  containsAny(
    text: string,
    slots: Uint32Array,
    isAllowed: ((slot: number) => boolean) | undefined,
  ): boolean {
    const term = this.#terms.find(text);
    if (term < 0) return false;
    const list = this.#postings.get(term);
    let place = 0;
    let before = -1;
    /** The slot of the posting at this place: the list has none between it and the slot before. */
    let next = -1;
    for (const slot of slots) {
      if (slot <= before) place = 0;
      if (slot <= before || slot > next) {
        place = placeOf(list, slot, place);
        next = place < list.length ? (list[place] as number) >>> COUNT_BITS : Infinity;
      }
      before = slot;
      if (slot === next && this.#lengths[slot] !== 0 && isAllowed?.(slot) !== false) return true;
    }
    return false;
  }

  /** The postings for `compact`, without removed slots: `newSlots[old]` is the new slot, or -1 for a removed one. */
  renumbered(newSlots: Int32Array): Generator<void, NumberLists> {
    return this.#postings.mapped((posting) => {
      const slot = newSlots[posting >>> COUNT_BITS] as number;
      return slot < 0 ? -1 : ((slot << COUNT_BITS) | (posting & MAX_COUNT)) >>> 0;
    });
  }

  /** Drops removed slots; `postings` is the result of `renumbered` for the same slots. */
  compact(newSlots: Int32Array, size: number, postings: NumberLists): void {
    const lengths = new Int32Array(Math.max(this.#lengths.length, size));
    for (let slot = 0; slot < newSlots.length; slot++) {
      const target = newSlots[slot] as number;
      if (target >= 0) lengths[target] = this.#lengths[slot] as number;
    }
    this.#lengths = lengths;
    this.#lengthsChanged();
    this.#dead = 0;
    this.#postings = postings;
  }

  /** The array never changes: a running search keeps it, and does not see chunks that come meanwhile. */
  #saturationsFor(averageLength: number): Float64Array {
    if (this.#saturations?.averageLength !== averageLength) {
      const lengths = this.#lengths;
      const bySlot = new Float64Array(lengths.length);
      for (let slot = 0; slot < lengths.length; slot++) {
        const length = lengths[slot] as number;
        if (length > 0) bySlot[slot] = saturationOf(length, averageLength);
      }
      this.#saturations = { averageLength, bySlot };
    }
    return this.#saturations.bySlot;
  }

  #score(term: number, weight: number, { scores, saturations }: Sums): void {
    const { values } = this.#postings;
    const start = this.#postings.start(term);
    const end = start + this.#postings.count(term);
    for (let i = start; i < end; i++) {
      const posting = values[i] as number;
      const slot = posting >>> COUNT_BITS;
      const saturation = saturations[slot] as number;
      if (saturation === 0) continue;
      const occurrences = (posting & MAX_COUNT) / STEPS;
      scores[slot] = (scores[slot] as number) + saturated(weight, occurrences, saturation);
    }
  }

  idfOf(text: string): number {
    return this.#idf(this.#terms.find(text));
  }

  averageLength(): number {
    return this.#live === 0 ? 1 : this.#totalLength / this.#live;
  }

  #idf(term: number): number {
    return inverseFrequency(this.#live, term < 0 ? 0 : this.#frequency(term));
  }

  #frequency(term: number): number {
    if (this.#dead === 0) return this.#postings.count(term);
    const known = this.#frequencies.get(term);
    if (known !== undefined) return known;
    let frequency = 0;
    for (const posting of this.#postings.get(term)) {
      if (this.#lengths[posting >>> COUNT_BITS] !== 0) frequency++;
    }
    if (this.#frequencies.size >= MAX_FREQUENCIES) this.#frequencies.clear();
    this.#frequencies.set(term, frequency);
    return frequency;
  }
}
