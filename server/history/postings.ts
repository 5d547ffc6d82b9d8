/** An inverted index over the commits of a repository: posting lists of term numbers, in immutable segments of typed arrays. */

import { inverseFrequency, termScore } from "../common/ranking/bm25-formula.ts";
import type { Coverage } from "./coverage.ts";
import type { TermCounts } from "./lane-entry.ts";

/** Rare words count for more than their inverse document frequency (test/ranking/history.md#words). */
const RARITY_EXPONENT = 1.5;

/** A posting is one number: the commit's number in the high bits, its occurrences in quarters in the low ones. */
const COUNT_BITS = 8;
const COUNT_MASK = 255;
const STEPS = 4;

/** Commits that are scanned one by one before they become a segment. */
const SEGMENT_COMMITS = 256;
/** This many segments of one size are merged into one of the next. */
const MERGE_AT = 4;
/** A larger merge would block the thread: 16 thousand commits take 20 ms, or 45 before V8 has compiled the code. */
const MAX_SEGMENT_COMMITS = 4096;

interface Segment {
  readonly commits: number;
  /** Ascending. */
  readonly terms: Int32Array;
  /** The offset of each term's posting list, and the end of the last one. */
  readonly starts: Uint32Array;
  readonly postings: Uint32Array;
}

/** The posting lists of a term, and its weight: the highest score that it can add. */
export interface Occurrences {
  readonly lists: readonly (Uint32Array | readonly number[])[];
  readonly weight: number;
}

/** Commits are numbered from zero; a number is never reused. */
export class Postings {
  #segments: Segment[] = [];
  /** Commits that are in no segment yet. */
  #unmerged: { readonly commit: number; readonly counts: TermCounts }[] = [];
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
    this.#unmerged.push({ commit, counts });
    if (this.#unmerged.length >= SEGMENT_COMMITS) this.#flush();
  }

  find(term: number): Occurrences {
    const lists = this.#segments.map((segment) => listOf(segment, term));
    const recent = this.#unmerged.flatMap(({ commit, counts }) => {
      const at = find(counts.terms, term);
      return at === -1 ? [] : [posting(commit, counts.counts[at] as number)];
    });
    const frequency = lists.reduce((sum, list) => sum + list.length, recent.length);
    const rarity = inverseFrequency(this.#commits, frequency);
    return { lists: [...lists, recent], weight: rarity ** RARITY_EXPONENT };
  }

  /**
   * Adds each commit's score for a term to `scores`, by commit number; the score is below the term's weight. Score /
   * weight, times `certainty` and at most 1, is the commit's coverage of the term.
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
    this.#segments.push(toSegment(this.#unmerged));
    this.#unmerged = [];
    for (let size = SEGMENT_COMMITS; size < MAX_SEGMENT_COMMITS; size *= MERGE_AT) {
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
  /** First the document frequency of each term, then the offset of its next posting. */
  const offsets = new Map<number, number>();
  for (const { counts } of entries) {
    for (const term of counts.terms) offsets.set(term, (offsets.get(term) ?? 0) + 1);
  }
  const terms = Int32Array.from(offsets.keys()).toSorted();
  const starts = new Uint32Array(terms.length + 1);
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i] as number;
    const start = starts[i] as number;
    starts[i + 1] = start + (offsets.get(term) as number);
    offsets.set(term, start);
  }
  const postings = new Uint32Array(starts.at(-1) ?? 0);
  for (const { commit, counts } of entries) {
    for (let i = 0; i < counts.terms.length; i++) {
      const term = counts.terms[i] as number;
      const at = offsets.get(term) as number;
      offsets.set(term, at + 1);
      postings[at] = posting(commit, counts.counts[i] as number);
    }
  }
  return { commits: entries.length, terms, starts, postings };
}

/** A k-way merge by term, in one pass: four thousand commits have half a million postings. */
function mergeSegments(segments: readonly Segment[]): Segment {
  const sum = (of: (segment: Segment) => number) => segments.reduce((n, each) => n + of(each), 0);
  const terms = new Int32Array(sum((segment) => segment.terms.length));
  const starts = new Uint32Array(terms.length + 1);
  const postings = new Uint32Array(sum((segment) => segment.postings.length));
  /** For each segment, the index of its first unmerged term. */
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

/** The smallest unmerged term; undefined when every segment is at its end. */
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

/** Binary search: the index of a number in an ascending list, or -1. */
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
