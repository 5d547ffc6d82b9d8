/** The lanes over the commits of one repository, in memory: message, diff, symbol and vector. */

import { TopK } from "../common/ranking/top-k.ts";
import type { CommitLaneRow } from "../contracts/history.ts";
import { changeKey } from "./change-key.ts";
import { CommitChanges, intern, momentOf } from "./commit-changes.ts";
import { CommitVectors } from "./commit-vectors.ts";
import { Coverage } from "./coverage.ts";
import { type LaneEntry, type TermCounts, unpackEntry } from "./lane-entry.ts";
import { type Occurrences, Postings } from "./postings.ts";

/** Ordered: coverage weighs a word by its rarity in the first of the lanes that are searched. */
const WORD_LANES = ["message", "diff", "symbols"] as const;
type WordLane = (typeof WORD_LANES)[number];
export type HistoryLane = WordLane | "vector";

/** How surely a lane's match covers a word. A message or name with a word is about it; a large diff has most words by accident. */
const CERTAINTY: Readonly<Record<WordLane, number>> = {
  message: Infinity,
  diff: 1.5,
  symbols: Infinity,
};

/** A word of the subject counts like this many of the body. */
const SUBJECT_WEIGHT = 2;
const MAX_COUNT = 255;

/** The metadata of a commit for filters. `time` is in seconds since 1970. */
export interface CommitFacts {
  readonly sha: string;
  readonly time: number;
  readonly author: string;
  readonly paths: readonly string[];
}

export interface RankedCommit {
  readonly commit: number;
  /** 0 to 1, relative to the best attainable score; for the vector lane a cosine. */
  readonly score: number;
}

interface LaneQuery {
  readonly terms: readonly number[];
  readonly vector: Float32Array | undefined;
  /** From `CommitIndex.allowed`: the lanes rank only these commits. */
  readonly allowed: Uint8Array;
  readonly limit: number;
  /** Lanes to skip. */
  readonly without: readonly string[];
}

export interface LaneRanking {
  /** The best commits of each lane, best first. */
  readonly lanes: Partial<Record<HistoryLane, RankedCommit[]>>;
  /** Over all word lanes. */
  readonly coverage: Coverage;
  /** Over the message lane alone. */
  readonly messageCoverage: Coverage;
}

export class CommitIndex {
  readonly changes: CommitChanges;
  readonly #facts: (CommitFacts | undefined)[] = [];
  /** By commit; see `changeKey`. */
  readonly #changeKeys: number[] = [];
  /** By commit; see `momentOf`. */
  readonly #moments: number[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #words: Readonly<Record<WordLane, Postings>> = {
    message: new Postings(),
    diff: new Postings(),
    symbols: new Postings(),
  };
  readonly #vectors = new CommitVectors();
  readonly #authors = new Map<string, string>();

  /** `changes` may already hold commits. */
  constructor(changes = new CommitChanges()) {
    this.changes = changes;
  }

  get size(): number {
    return this.#numbers.size;
  }

  add(rows: readonly CommitLaneRow[]): void {
    for (const row of rows) {
      const { sha, time, author, lanes } = row;
      if (lanes === "" || this.#numbers.has(sha)) continue;
      const number = this.#facts.length;
      const paths = this.changes.addOne(row);
      this.#facts.push({ sha, time, author: intern(this.#authors, author), paths });
      this.#moments.push(momentOf(row));
      this.#numbers.set(sha, number);
      const entry = unpackEntry(lanes);
      this.#changeKeys.push(changeKey(paths, entry));
      this.#addLanes(number, entry);
    }
  }

  /** Queries skip removed commits; their postings stay until the index is loaded again. */
  remove(shas: readonly string[]): void {
    this.changes.remove(shas);
    for (const sha of shas) {
      const number = this.#numbers.get(sha);
      if (number === undefined) continue;
      this.#numbers.delete(sha);
      this.#facts[number] = undefined;
    }
  }

  facts(commit: number): CommitFacts | undefined {
    return this.#facts[commit];
  }

  /** Equal for commits with the same words in subject and diff and the same paths; 0 if the commit changed no line. */
  changeKey(commit: number): number {
    return this.#changeKeys[commit] ?? 0;
  }

  /** The allowed commits whose hashes have one of these prefixes, in the order of the prefixes. */
  withHashes(hashes: readonly string[], allowed: Uint8Array): number[] {
    const found = hashes.flatMap((hash) =>
      this.#facts.flatMap((facts, number) =>
        allowed[number] === 1 && facts?.sha.startsWith(hash) === true ? [number] : [],
      ),
    );
    return [...new Set(found)];
  }

  /** Author names as in the commits, without duplicates. */
  authors(): IterableIterator<string> {
    return this.#authors.keys();
  }

  all(): IterableIterator<number> {
    return this.#numbers.values();
  }

  /** A bitmap by commit number: 1 for commits that pass the filter. */
  allowed(isAllowed: ((facts: CommitFacts) => boolean) | undefined): Uint8Array {
    const allowed = new Uint8Array(this.#facts.length);
    for (const number of this.#numbers.values()) {
      const facts = this.#facts[number];
      if (isAllowed === undefined || (facts !== undefined && isAllowed(facts))) allowed[number] = 1;
    }
    return allowed;
  }

  /** Allowed commits, newest first. */
  newest(limit: number, allowed: Uint8Array): number[] {
    return best(Float64Array.from(this.#moments), allowed, limit, 1).map(({ commit }) => commit);
  }

  rank({ terms, vector, allowed, limit, without }: LaneQuery): LaneRanking {
    const size = this.#facts.length;
    const coverage = new Coverage(size);
    const messageCoverage = new Coverage(size);
    const searched = WORD_LANES.filter((name) => !without.includes(name)).map((name) => ({
      name,
      postings: this.#words[name],
      scores: new Float32Array(size),
      attainable: 0,
    }));
    for (const term of new Set(terms)) {
      const found = searched.map(({ postings }) => postings.find(term));
      const weight = found[0]?.weight ?? 0;
      coverage.begin(weight);
      messageCoverage.begin(weight);
      searched.forEach((lane, i) => {
        const occurrences = found[i] as Occurrences;
        lane.attainable += occurrences.weight;
        const covered = lane.name === "message" ? [coverage, messageCoverage] : [coverage];
        lane.postings.score(occurrences, lane.scores, covered, CERTAINTY[lane.name]);
      });
    }
    const lanes: Partial<Record<HistoryLane, RankedCommit[]>> = {};
    for (const { name, scores, attainable } of searched) {
      lanes[name] = best(scores, allowed, limit, attainable || 1);
    }
    if (vector !== undefined && !without.includes("vector")) {
      lanes.vector = best(this.#vectors.cosines(vector, size), allowed, limit, 1);
    }
    return { lanes, coverage, messageCoverage };
  }

  #addLanes(number: number, { texts, vector }: LaneEntry): void {
    this.#words.message.add(number, sumCounts(texts.subject, SUBJECT_WEIGHT, texts.body));
    this.#words.diff.add(number, sumCounts(texts.added, 1, texts.removed));
    this.#words.symbols.add(number, texts.symbols);
    if (vector !== undefined) this.#vectors.set(number, vector);
  }
}

/** The best of the scores above zero, best first; ties by number, which is the order of reading. */
function best(
  scores: Float32Array | Float64Array,
  allowed: Uint8Array,
  limit: number,
  attainable: number,
): RankedCommit[] {
  const found = new TopK(limit, (a, b) => a - b);
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] as number;
    if (score > 0 && allowed[i] === 1) found.offer(i, score);
  }
  return found.best().map(({ item, score }) => ({ commit: item, score: score / attainable }));
}

/** Merges the term counts of two fields; counts of the first are multiplied by `weight`. */
function sumCounts(first: TermCounts, weight: number, second: TermCounts): TermCounts {
  const terms = new Int32Array(first.terms.length + second.terms.length);
  const counts = new Uint8Array(terms.length);
  let [i, k, size] = [0, 0, 0];
  while (i < first.terms.length || k < second.terms.length) {
    const a = first.terms[i] ?? Infinity;
    const b = second.terms[k] ?? Infinity;
    const own = a <= b ? (first.counts[i++] ?? 0) * weight : 0;
    const other = b <= a ? (second.counts[k++] ?? 0) : 0;
    terms[size] = Math.min(a, b);
    counts[size++] = Math.min(MAX_COUNT, own + other);
  }
  return {
    terms: terms.subarray(0, size),
    counts: counts.subarray(0, size),
    length: first.length + second.length,
  };
}
