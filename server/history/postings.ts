/** An inverted index over the commits of a repository: words as numbers, in typed arrays that are never changed. */

import { inverseFrequency, termScore } from "../common/ranking/bm25-formula.ts";
import type { Coverage } from "./coverage.ts";
import type { TermCounts } from "./lane-entry.ts";

/**
 * Rare words count for more than their inverse frequency: MRR on pairs of commits of which one cites the other, with this
 * and with 1: rails .417 and .411, curl .586 and .578, redis .485 and .482.
 */
const RARITY_EXPONENT = 1.5;

/** A posting is one number: the commit's number above, the occurrences in quarters below. */
const COUNT_BITS = 8;
const COUNT_MASK = 255;
const STEPS = 4;

/** Commits that are looked through one by one before they get a segment. */
const SEGMENT_COMMITS = 256;
/** As many segments of one size become one of the next. */
const MERGE_AT = 4;
/** To merge more at once would hold the thread: 20 ms for 16 thousand commits, 45 while the code is cold. */
const LARGEST_SEGMENT = 4096;

interface Segment {
  readonly commits: number;
  /** Ascending. */
  readonly terms: Int32Array;
  /** Where the list of each term begins; one more than there are terms. */
  readonly starts: Uint32Array;
  readonly postings: Uint32Array;
}

/** Where a term occurs, and what it is worth. */
export interface Occurrences {
  readonly lists: readonly (Uint32Array | readonly number[])[];
  readonly weight: number;
}

/** Commits are numbered from zero; a number is never used again. */
export class Postings {
  #segments: Segment[] = [];
  #waiting: { readonly commit: number; readonly counts: TermCounts }[] = [];
  #lengths = new Uint16Array(1024);
  #commits = 0;
  #totalLength = 0;

  get bytes(): number {
    const segments = this.#segments.reduce(
      (sum, { terms, starts, postings }) =>
        sum + terms.byteLength + starts.byteLength + postings.byteLength,
      0,
    );
    return segments + this.#lengths.byteLength;
  }

  add(commit: number, counts: TermCounts): void {
    if (commit >= this.#lengths.length) {
      const larger = new Uint16Array(Math.max(commit + 1, this.#lengths.length * 2));
      larger.set(this.#lengths);
      this.#lengths = larger;
    }
    this.#lengths[commit] = Math.max(1, Math.min(65_535, counts.length));
    this.#commits++;
    this.#totalLength += counts.length;
    this.#waiting.push({ commit, counts });
    if (this.#waiting.length >= SEGMENT_COMMITS) this.#flush();
  }

  find(term: number): Occurrences {
    const lists = this.#segments.map((segment) => listOf(segment, term));
    const few = this.#waiting.flatMap(({ commit, counts }) => {
      const at = find(counts.terms, term);
      return at === -1 ? [] : [posting(commit, counts.counts[at] as number)];
    });
    const frequency = lists.reduce((sum, list) => sum + list.length, few.length);
    const rarity = inverseFrequency(this.#commits, frequency);
    return { lists: [...lists, few], weight: rarity ** RARITY_EXPONENT };
  }

  /**
   * Adds to `scores`, by commit, what each commit has of a term: less than its weight. That share of the weight, times
   * `certainty` and at most 1, is how far it covers the term.
   */
  score(
    { lists, weight }: Occurrences,
    scores: Float32Array,
    covered: readonly Coverage[],
    certainty: number,
  ): void {
    const averageLength = this.#commits === 0 ? 1 : this.#totalLength / this.#commits || 1;
    for (const list of lists) {
      for (const each of list) {
        const commit = each >>> COUNT_BITS;
        const occurrences = (each & COUNT_MASK) / STEPS;
        const share = termScore(1, occurrences, this.#lengths[commit] as number, averageLength);
        scores[commit] = (scores[commit] as number) + weight * share;
        for (const coverage of covered) coverage.add(commit, Math.min(1, share * certainty));
      }
    }
  }

  #flush(): void {
    this.#segments.push(toSegment(this.#waiting));
    this.#waiting = [];
    for (let size = SEGMENT_COMMITS; size < LARGEST_SEGMENT; size *= MERGE_AT) {
      const same = this.#segments.filter(({ commits }) => commits === size);
      if (same.length < MERGE_AT) return;
      this.#segments = [
        ...this.#segments.filter(({ commits }) => commits !== size),
        mergeSegments(same),
      ];
    }
  }
}

function posting(commit: number, count: number): number {
  return ((commit << COUNT_BITS) | count) >>> 0;
}

function toSegment(
  entries: readonly { readonly commit: number; readonly counts: TermCounts }[],
): Segment {
  /** How many commits have a term; later, where its next posting goes. */
  const places = new Map<number, number>();
  for (const { counts } of entries) {
    for (const term of counts.terms) places.set(term, (places.get(term) ?? 0) + 1);
  }
  const terms = Int32Array.from(places.keys()).toSorted();
  const starts = new Uint32Array(terms.length + 1);
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i] as number;
    const start = starts[i] as number;
    starts[i + 1] = start + (places.get(term) as number);
    places.set(term, start);
  }
  const postings = new Uint32Array(starts.at(-1) ?? 0);
  for (const { commit, counts } of entries) {
    for (let i = 0; i < counts.terms.length; i++) {
      const term = counts.terms[i] as number;
      const at = places.get(term) as number;
      places.set(term, at + 1);
      postings[at] = posting(commit, counts.counts[i] as number);
    }
  }
  return { commits: entries.length, terms, starts, postings };
}

/** All terms are gone through at once, in their order: a merge of four thousand commits has half a million postings. */
function mergeSegments(segments: readonly Segment[]): Segment {
  const sum = (of: (segment: Segment) => number) => segments.reduce((n, each) => n + of(each), 0);
  const terms = new Int32Array(sum((segment) => segment.terms.length));
  const starts = new Uint32Array(terms.length + 1);
  const postings = new Uint32Array(sum((segment) => segment.postings.length));
  /** Of each segment, the first term that is not merged yet. */
  const next = segments.map(() => 0);
  let [count, end] = [0, 0];
  for (;;) {
    const term = leastTerm(segments, next);
    if (term === undefined) break;
    for (const [i, segment] of segments.entries()) {
      const at = next[i] as number;
      if (segment.terms[at] !== term) continue;
      next[i] = at + 1;
      const last = segment.starts[at + 1] as number;
      for (let from = segment.starts[at] as number; from < last; from++)
        postings[end++] = segment.postings[from] as number;
    }
    terms[count] = term;
    starts[++count] = end;
  }
  const commits = sum((segment) => segment.commits);
  return { commits, terms: terms.slice(0, count), starts: starts.slice(0, count + 1), postings };
}

/** The smallest term that a segment has at its place of `next`; undefined where all are at their ends. */
function leastTerm(segments: readonly Segment[], next: readonly number[]): number | undefined {
  let least: number | undefined;
  for (const [i, { terms }] of segments.entries()) {
    const term = terms[next[i] as number];
    if (term !== undefined && (least === undefined || term < least)) least = term;
  }
  return least;
}

function listOf({ terms, starts, postings }: Segment, term: number): Uint32Array {
  const at = find(terms, term);
  return at === -1 ? postings.subarray(0, 0) : postings.subarray(starts[at], starts[at + 1]);
}

/** The place of a number in ascending ones; -1 where it is missing. */
function find(ascending: Int32Array, wanted: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = ascending[middle] as number;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
