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
export type LaneFindings = Readonly<Pick<Ranked, "evidence" | "ranks">>;

/** One record per candidate of a search: the stages of ranking change it in place. */
export interface Ranked {
  readonly chunk: number;
  readonly facts: ChunkFacts;
  /** The number of its file in the list of its index (numberFiles). */
  file: number;
  /** The sort key within one list; not comparable across lists. */
  score: number;
  readonly evidence: Evidence;
  /** The 1-based rank after each stage. */
  ranks: Readonly<Record<string, number>>;
  readonly reasons: Reason[];
  /** The findings for the chunk whose score this one took over (place-in-file.ts). The score model reads them. */
  standsFor?: LaneFindings | undefined;
}

/** A hit with its rank within its index, and the displayed score (score.ts). Cached, so it never changes. */
export interface RankedHit extends Readonly<Omit<Ranked, "reasons" | "file">> {
  readonly reasons: readonly Reason[];
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

/** A named step of ranking. `apply` changes the scores of the hits, and returns them with the hits that it adds, in any order. */
export interface Boost {
  readonly name: string;
  /** Whether the boost depends on the order of the list, which is then sorted first. Sorting costs more than most boosts. */
  readonly readsOrder?: boolean;
  readonly apply: (hits: readonly Ranked[], question: Question) => readonly Ranked[];
}

/** Gives the hit another score, and the reason for it. An unchanged score adds no reason. */
export function rescore(hit: Ranked, score: number, name: string, detail?: string): void {
  if (score === hit.score) return;
  const contribution = score - hit.score;
  hit.reasons.push(detail === undefined ? { name, contribution } : { name, contribution, detail });
  hit.score = score;
}

const UNNUMBERED = -1;

/** A hit without ranks. */
export function newHit(chunk: number, facts: ChunkFacts, evidence: Evidence): Ranked {
  return {
    chunk,
    facts,
    file: UNNUMBERED,
    score: 0,
    evidence,
    ranks: {},
    reasons: [],
    standsFor: undefined,
  };
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
export function recordRanks(hits: readonly Ranked[], stage: string): void {
  // Another chunk may hold the ranks before (`standsFor`).
  for (const [i, hit] of hits.entries()) hit.ranks = { ...hit.ranks, [stage]: i + 1 };
}

/**
 * Numbers the files of a list from 0 and returns how many numbers there are. A hit keeps its number, so that paths are looked up
 * by the first boost, and again only when a boost has added hits.
 */
export function numberFiles(hits: readonly Ranked[]): number {
  const numbers = new Map<string, number>();
  const isNumbered = hits.every(({ file }) => file !== UNNUMBERED);
  if (!isNumbered) {
    for (const { file, facts } of hits) if (file !== UNNUMBERED) numbers.set(facts.path, file);
  }
  let count = 0;
  for (let i = 0; i < hits.length; i++) count = Math.max(count, (hits[i] as Ranked).file + 1);
  if (isNumbered) return count;
  for (const hit of hits) {
    if (hit.file === UNNUMBERED) hit.file = getOrCreate(numbers, hit.facts.path, () => count++);
  }
  return count;
}
