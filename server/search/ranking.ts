/** The data types of the read path: chunks with scores, ranks and reasons. */

import { getOrCreate } from "../common/get-or-create.ts";
import type { ChunkFacts, Filter } from "../contracts/lanes.ts";
import type { CodeSymbol, LaneName, Reason } from "../contracts/model.ts";
import type { SearchAnswer } from "../contracts/session.ts";
import type { Literal } from "./literal/literals.ts";
import type { TextPlace } from "./literal/match-text.ts";
import { passes } from "./query/filter.ts";
import type { Query } from "./query/query.ts";
import type { ReportFindings } from "./report/report-findings.ts";
import type { Features } from "./results/features.ts";

/** An exact match of a text of the query in a chunk. */
export interface LiteralMatch extends TextPlace {
  /** Undefined for running text, which may match in part. */
  readonly literal: Literal | undefined;
  /** The quality of the match: 1, or less for another letter case or missing words of running text. */
  readonly share: number;
  /** The number of consecutive tokens that match; 0 unless the literal is running text. */
  readonly run: number;
  /** `share` less the gaps within running text, 0 to 1: 1 for text that is word for word the same. */
  readonly closeness: number;
  /**
   * The number of compared files that contain the literal, or the running text word for word; 0 if the chunk contains running
   * text in another way.
   */
  readonly files: number;
}

/** The score of a chunk in each lane, 0 to 1 on a scale per lane. */
export type Evidence = Readonly<Partial<Record<LaneName, number>>>;

/** The score of a chunk in each lane, and its rank after each stage. */
export type LaneFindings = Pick<Ranked, "evidence" | "ranks">;

export interface Ranked {
  readonly chunk: number;
  readonly facts: ChunkFacts;
  /** The sort key within one list; not comparable across lists. */
  readonly score: number;
  readonly evidence: Evidence;
  /** The 1-based rank after each stage. */
  readonly ranks: Readonly<Record<string, number>>;
  readonly reasons: readonly Reason[];
  /** The findings for the chunk whose score this one took over (place-in-file.ts). The score model reads them. */
  readonly standsFor?: LaneFindings | undefined;
}

/** A hit with its rank within its index, and the displayed score (score.ts). */
export interface RankedHit extends Ranked {
  /** The sort key in the list of its index, as a share of the best. */
  readonly share: number;
  readonly index: string;
  readonly root: string;
  /** Matching definitions of the chunk, best first. */
  readonly symbols: readonly CodeSymbol[];
  /** The exact match of the query, or of a part of it. */
  readonly literal?: LiteralMatch | undefined;
  /** The definition whose name the query only begins or abbreviates. */
  readonly begun?: CodeSymbol | undefined;
  /** Set only if the request displays features. */
  readonly features?: Features | undefined;
  /** The probability from its own evidence, independent of the hits before it. */
  readonly probability: number;
  /** Whether the score of its list is at chance level. */
  readonly isChance: boolean;
  /** Other definitions of the chunk. */
  readonly otherSymbols: readonly CodeSymbol[];
  /** Chunks of the file that rank behind it; empty unless it is the first of its file. */
  readonly places: readonly ChunkFacts[];
}

/** A finished ranking: what the cache keeps. Texts are read again, since files change before their index does. */
export interface Ranking {
  /** The query that was ranked, with the words of the rewriting model. */
  readonly query: Query;
  readonly hits: readonly RankedHit[];
  readonly mode: SearchAnswer["mode"];
  /** The number of hits behind these, if the request has an offset. */
  readonly more?: number;
}

/** The share of the question's words that each file contains, weighted by rarity, 0 to 1. */
export type FileWords = ReadonlyMap<string, number>;

/** The inputs of a boost besides the list. */
export interface Question {
  readonly query: Query;
  readonly filter: Filter | undefined;
  /** Chunks of the files named after an identifier of the query, even if no lane returned them. */
  readonly filesMatchingIdentifier: ReadonlyMap<number, ChunkFacts>;
  /** Chunks of the files that the query names by path, likewise. */
  readonly filesMatchingPath: ReadonlyMap<number, ChunkFacts>;
  /** Empty unless the query is a question. */
  readonly fileWords: FileWords;
  /** The rarity of each word of the query by its stem; empty unless the query is a question. */
  readonly wordRarities: ReadonlyMap<string, number>;
  /** The same for words of the thesaurus. */
  readonly relatedRarities: ReadonlyMap<string, number>;
  /** The code in this index that a bug report names. */
  readonly findings?: ReportFindings;
}

/** A named step of ranking. `apply` is pure: it returns a new list, in any order. */
export interface Boost {
  readonly name: string;
  /** Whether the boost depends on the order of the list, which is then sorted first. Sorting costs more than most boosts. */
  readonly readsOrder?: boolean;
  readonly apply: (hits: readonly Ranked[], question: Question) => readonly Ranked[];
}

/**
 * Returns the hit with another score and the reason for it. An unchanged score adds no reason. Written out in the order of fuse.ts: a
 * spread gives V8 objects of another shape, and comparing scores then allocates (caddy: 130 kB of the 1,700 of a question).
 */
export function rescored(
  hit: Ranked,
  score: number,
  name: string,
  detail?: string,
  standsFor = hit.standsFor,
): Ranked {
  if (score === hit.score) return hit;
  const contribution = score - hit.score;
  const reason = detail === undefined ? { name, contribution } : { name, contribution, detail };
  const { chunk, facts, evidence, ranks } = hit;
  return { chunk, facts, score, evidence, ranks, reasons: [...hit.reasons, reason], standsFor };
}

/** A hit without ranks, in the order of fuse.ts. */
export function newHit(chunk: number, facts: ChunkFacts, evidence: Evidence): Ranked {
  return { chunk, facts, score: 0, evidence, ranks: {}, reasons: [], standsFor: undefined };
}

/** Adds chunks that pass the filter but no lane returned; they come last until a boost lifts them. */
export function injectCandidates(
  chunks: ReadonlyMap<number, ChunkFacts>,
  hits: readonly Ranked[],
  filter: Filter | undefined,
  evidence: Evidence,
): Ranked[] {
  if (chunks.size === 0) return [];
  const known = new Set(hits.map(({ chunk }) => chunk));
  return [...chunks]
    .filter(([chunk, facts]) => !known.has(chunk) && passes(filter, facts))
    .map(([chunk, facts]) => newHit(chunk, facts, evidence));
}

export function highest(hits: readonly Ranked[]): number {
  let score = 0;
  for (let i = 0; i < hits.length; i++) score = Math.max(score, (hits[i] as Ranked).score);
  return score;
}

/** Sorts by descending score; path and place break ties, so that the order is deterministic. */
export function sortByScore(hits: readonly Ranked[]): readonly Ranked[] {
  return isSorted(hits) ? hits : hits.toSorted(compareHits);
}

/** Whether the list is sorted already, which saves a sort: most boosts move few hits or none. */
function isSorted(hits: readonly Ranked[]): boolean {
  for (let i = 1; i < hits.length; i++) {
    if (compareHits(hits[i - 1] as Ranked, hits[i] as Ranked) > 0) return false;
  }
  return true;
}

/** A small number: the difference of two scores would be an object for each of the thousands of comparisons. */
function compareHits(a: Ranked, b: Ranked): number {
  const first = a.score;
  const second = b.score;
  if (first !== second) return first > second ? -1 : 1;
  return comparePlaces(a.facts, b.facts);
}

export function comparePlaces(
  a: Pick<ChunkFacts, "path" | "span">,
  b: Pick<ChunkFacts, "path" | "span">,
): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.span.start - b.span.start;
}

/** Records the rank of each hit after a stage. */
export function withRanks(hits: readonly Ranked[], stage: string): Ranked[] {
  return hits.map((hit, i) => ({ ...hit, ranks: { ...hit.ranks, [stage]: i + 1 } }));
}

/** The hits of each file, in the order of the list. */
export function byFile<T extends Ranked>(hits: readonly T[]): Map<string, T[]> {
  const files = new Map<string, T[]>();
  hits.forEach((hit) => {
    getOrCreate(files, hit.facts.path, () => []).push(hit);
  });
  return files;
}
