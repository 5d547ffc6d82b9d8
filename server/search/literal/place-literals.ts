/** Ranks exact matches of the query above hits that only resemble it. */

import type { ChunkFacts } from "../../contracts/lanes.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import { definitionGrade } from "../boosts/definition.ts";
import { isProductCode } from "../boosts/file-category.ts";
import { EXACT_GRADE, type Name, SAME_NAME, toName } from "../lanes/symbol-names.ts";
import { stemOf } from "../paths.ts";
import type { Query } from "../query/query.ts";
import {
  comparePlaces,
  highest,
  injectCandidates,
  type LiteralMatch,
  newHit,
  type Question,
  type Ranked,
  rescore,
} from "../ranking.ts";
import { type LiteralMatches, MIN_PRINTED, WITHOUT_DASHES } from "./find-literals.ts";
import type { Literal } from "./literals.ts";

/** The reordered list, and the places of the literals that moved hits or keep them in the list. */
export interface LiteralHits {
  readonly hits: readonly Ranked[];
  readonly places: ReadonlyMap<number, LiteralPlacement>;
}

export interface LiteralPlacement {
  readonly match: LiteralMatch | undefined;
  /** The definition whose name the query only begins or abbreviates (begun-names.ts). */
  readonly begun?: CodeSymbol;
  /** In units of the best score of the list without literals. */
  readonly steps: number;
  /** The share of the literal that the chunk contains. */
  readonly share: number;
  /** Whether the literal is what the query asks for, and no word of a topic or part of a sentence. */
  readonly isSure: boolean;
}

/** Exceeds the best score of any list, so the rest of the ranking only breaks ties. */
const STEP = 1.05;

/** For a query that is one literal: definitions, a file of that name where no definition is, product code, the rest. */
const STEPS_OF_WHOLE = { definition: 4, testDefinition: 3, file: 3, code: 2, other: 1 } as const;

/**
 * For a literal in a sentence, by its share of the sentence. On commit subjects, which name much that they do not change, .3
 * for rare parts loses .002 and .5 loses .004 NDCG@10 (test/ranking/literal.md).
 */
const QUOTED = 2;
const RARE_PART = 0.3;
/** In more files than this, a literal in a sentence is a common word. */
const MAX_RARE_FILES = 5;

/** For a plain word, a definition of that name before a file that is only called so. */
const DEFINED_WORD = 0.6;
/** In a smaller index every word is rare, so rarity is not evidence. */
const MIN_CHUNKS_FOR_RARITY = 500;

/**
 * A program prints the running text of its strings. A tenth more of the message counts for more than the rest of the ranking.
 * Product code with a placeholder ranks before a test with the value.
 */
const SHARE_STEPS = 10;
const CODE_STEPS = 3;
/** All gaps together cost up to a step: product code with a placeholder has a gap, too, and must stay before a test. */
const GAP_STEPS = 30;
const MAX_GAP_STEPS = 1;
/** A text with the values of the query, too, comes before one that has placeholders for them. */
const VERBATIM_STEP = 1;
/**
 * Word for word and in few files, a message was copied from there, also from a test or a document. Product code that prints most
 * of it ranks before: it may have a placeholder for the rest.
 */
const VERBATIM_STEPS = { code: 6, string: 4, other: 3.75 };
/** In a string, and elsewhere. */
const MIN_VERBATIM_TOKENS = { string: 4, other: 5 };
/** Elsewhere it is prose: a few of the same words in a row are a coincidence, more of them were copied from there. */
const MIN_PROSE = 0.9;
const MIN_PROSE_TOKENS = 5;
const PROSE = { code: 1, other: 0.25 };
/** The factor of tests, documents and configuration for a literal in a sentence. */
const NO_CODE = 0.5;

/**
 * The first hit that contains a text drawn at random from a repository is its source in .91 to 1 of all cases
 * (test/ranking/literal.md). The constant is lower, since the same text may occur elsewhere too. Of the next hits that contain a
 * name, .04 to .09 are right (test/ranking/calibration.md), so it holds for the first hit alone.
 */
const SURE = 0.6;
/** Above the limit for weak matches (score.ts), so that an exact match is never hidden. */
const SHOWN = 0.06;

/** A lower bound of the probability that the hit at this rank, counted from 0, is right. */
export function leastProbability({ share, isSure }: LiteralPlacement, rank: number): number {
  return share * (isSure && rank === 0 ? SURE : SHOWN);
}

export function placeLiterals(
  hits: readonly Ranked[],
  matches: LiteralMatches,
  question: Pick<Question, "query" | "filter" | "filesMatchingPath">,
  chunksInIndex: number,
): LiteralHits {
  if (matches.byChunk.size === 0) return { hits, places: new Map() };
  const unit = highest(hits) || 1;
  const found = [...hits, ...literalOnlyHits(hits, matches)];
  const all = [...found, ...namedFiles(found, question)];
  const isWhole = [...matches.byChunk.values()]
    .flat()
    .some(({ literal }) => literal?.role === "whole");
  const places = isWhole
    ? placeWhole(all, matches.byChunk, question, chunksInIndex)
    : placeParts(all, matches.byChunk, question.query);
  for (const hit of all) {
    const { steps = 0, match } = places.get(hit.chunk) ?? {};
    rescore(hit, hit.score + steps * unit, "literal", match && detailOf(match));
  }
  return { hits: withoutRepeats(all, places), places };
}

/** The chunks of a long definition overlap: of the chunks that match on one line of the file, the best one is kept. */
function withoutRepeats(
  hits: readonly Ranked[],
  places: ReadonlyMap<number, LiteralPlacement>,
): Ranked[] {
  const lineOf = ({ chunk, facts }: Ranked) => {
    const match = places.get(chunk)?.match;
    return match === undefined ? undefined : `${facts.lines.start + match.line} ${facts.path}`;
  };
  const best = new Map<string, Ranked>();
  for (const hit of hits) {
    const line = lineOf(hit);
    if (line !== undefined && hit.score > (best.get(line)?.score ?? -Infinity)) best.set(line, hit);
  }
  return hits.filter((hit) => {
    const line = lineOf(hit);
    return line === undefined || best.get(line) === hit;
  });
}

/** Chunks that no lane returned. */
function literalOnlyHits(hits: readonly Ranked[], { byChunk, facts }: LiteralMatches): Ranked[] {
  const known = new Set(hits.map(({ chunk }) => chunk));
  return [...byChunk.keys()].flatMap((chunk): Ranked[] => {
    const own = facts.get(chunk);
    if (known.has(chunk) || own === undefined) return [];
    return [newHit(chunk, own, { keyword: 0 })];
  });
}

/** The first chunk of each file that the query names and none of the hits is in. */
function namedFiles(
  hits: readonly Ranked[],
  { filter, filesMatchingPath }: Pick<Question, "filter" | "filesMatchingPath">,
): Ranked[] {
  const known = new Set(hits.map(({ facts }) => facts.path));
  const first = [...filesMatchingPath]
    .toSorted(([, a], [, b]) => comparePlaces(a, b))
    .filter(([, { path }]) => !known.has(path) && known.add(path));
  return injectCandidates(new Map(first), hits, filter, { keyword: 0 });
}

type Matches = LiteralMatches["byChunk"];

/** Best first in `hits`. */
function placeWhole(
  hits: readonly Ranked[],
  byChunk: Matches,
  { query, filesMatchingPath }: Pick<Question, "query" | "filesMatchingPath">,
  chunksInIndex: number,
): Map<number, LiteralPlacement> {
  const places = new Map<number, LiteralPlacement>();
  // A plain word may be a topic.
  const isDecisive = [...byChunk.values()].flat().some((match) => isExact(match, chunksInIndex));
  const isFlag = query.text.startsWith("-");
  const isName = !isFlag && (query.kind === "symbol" || query.kind === "word");
  const names = isName ? query.identifiers.map(toName) : [];
  const kinds = hits.map(({ facts, chunk }) =>
    kindOf(facts, byChunk.get(chunk)?.[0], names, filesMatchingPath.has(chunk)),
  );
  const isDefined = kinds.some((kind) => kind === "definition" || kind === "testDefinition");
  const files = new Set<string>();
  for (const [i, { chunk, facts }] of hits.entries()) {
    const match = byChunk.get(chunk)?.[0];
    let kind = kinds[i];
    // One chunk represents its file, and a definition matches a name better than a file does.
    if (kind === "file" && (isDefined || files.has(facts.path))) kind = match && "code";
    if (kind === undefined) continue;
    files.add(facts.path);
    const share = match?.share ?? 0;
    const isPart = kind === "code" || kind === "other";
    const strict = STEP * STEPS_OF_WHOLE[kind] * (isPart ? share : 1);
    const steps = isDecisive ? strict : kind === "definition" ? share * DEFINED_WORD : 0;
    places.set(chunk, { match, steps, share, isSure: isDecisive });
  }
  putFlagFirst(places, hits, kinds);
  return places;
}

/**
 * Product code that has a flag with its dashes comes before code that has it without them. Without such code, the best other
 * place that has them comes first, and then that code, before the other tests and documents.
 */
function putFlagFirst(
  places: Map<number, LiteralPlacement>,
  hits: readonly Ranked[],
  kinds: readonly (keyof typeof STEPS_OF_WHOLE | undefined)[],
): void {
  const placed = [...places.values()];
  if (!placed.some(({ share }) => share === WITHOUT_DASHES)) return;
  const whole = hits.flatMap(({ chunk }, i) => {
    const place = places.get(chunk);
    return place?.share === 1 ? [{ chunk, place, isCode: kinds[i] === "code" }] : [];
  });
  const code = whole.filter(({ isCode }) => isCode);
  for (const { chunk, place } of code.length > 0 ? code : whole.slice(0, 1))
    places.set(chunk, { ...place, steps: STEP * (STEPS_OF_WHOLE.code + 1) });
}

/** A plain word is a topic as often as a name, unless few of many files have it. */
function isExact({ literal, files }: LiteralMatch, chunksInIndex: number): boolean {
  if (literal === undefined) return false;
  const isRare = files <= MAX_RARE_FILES && chunksInIndex >= MIN_CHUNKS_FOR_RARITY;
  return isRare || literal.isQuoted || !/^\p{L}\p{Ll}*$/u.test(literal.text);
}

/** A definition of the name counts even if its text does not contain the scope. */
function kindOf(
  facts: ChunkFacts,
  match: LiteralMatch | undefined,
  names: readonly Name[],
  isNamedFile: boolean,
): keyof typeof STEPS_OF_WHOLE | undefined {
  const grade = definitionGrade(facts, names);
  // For a name in another letter case or spelling, the text must contain it as it was typed.
  const isTest = facts.category === "test";
  if (grade >= SAME_NAME) return isTest ? "testDefinition" : "definition";
  if (!isTest && match?.share === 1 && grade >= EXACT_GRADE) return "definition";
  if (isNamedFile || isNamedLike(facts.path, names)) return "file";
  if (match === undefined) return undefined;
  return isProductCode(facts) ? "code" : "other";
}

function isNamedLike(path: string, names: readonly Name[]): boolean {
  const stem = stemOf(path).toLowerCase();
  return names.some(({ text }) => text.toLowerCase() === stem);
}

function placeParts(
  hits: readonly Ranked[],
  byChunk: Matches,
  query: Query,
): Map<number, LiteralPlacement> {
  const places = new Map<number, LiteralPlacement>();
  for (const { chunk, facts } of hits) {
    let steps = 0;
    let best: { match: LiteralMatch; steps: number } | undefined;
    for (const match of byChunk.get(chunk) ?? []) {
      const own = stepsOfPart(match, facts, query);
      steps += own;
      if (own > (best?.steps ?? 0)) best = { match, steps: own };
    }
    if (best === undefined) continue;
    const { literal, share } = best.match;
    const isSure = literal === undefined || literal.role === "quoted";
    places.set(chunk, { match: best.match, steps, share, isSure });
  }
  return places;
}

function stepsOfPart(match: LiteralMatch, facts: ChunkFacts, query: Query): number {
  const { literal, share, files, isInString, run, closeness } = match;
  const isCode = isProductCode(facts);
  const factor = isCode ? 1 : NO_CODE;
  if (literal !== undefined) {
    const isRare = files <= MAX_RARE_FILES;
    const weight = literal.role === "quoted" ? QUOTED : isRare ? RARE_PART : 0;
    return weight * share * portionOf(literal, query.text) * factor;
  }
  const isPrinted = (isInString || facts.category === "config") && share >= MIN_PRINTED;
  const isLong = run >= MIN_VERBATIM_TOKENS[isInString ? "string" : "other"];
  const isVerbatim = isLong && files > 0 && files <= MAX_RARE_FILES;
  const verbatim = isVerbatim
    ? VERBATIM_STEPS[isCode ? "code" : isInString ? "string" : "other"]
    : 0;
  // Tests and documents contain the words of a question as often as the words of a message. Migrations and examples print, too.
  if (isPrinted && (facts.category === "implementation" || query.kind === "error")) {
    const ofShare = 1 + SHARE_STEPS * (share - MIN_PRINTED) - gapLoss(closeness);
    const printed = ofShare + (isCode ? CODE_STEPS + (files > 0 ? VERBATIM_STEP : 0) : 0);
    return STEP * Math.max(printed, verbatim);
  }
  if (isVerbatim) return STEP * verbatim;
  const isCopied = share >= MIN_PROSE && run >= MIN_PROSE_TOKENS;
  return isCopied ? share * (isCode ? PROSE.code : PROSE.other) : 0;
}

/** In steps. */
function gapLoss(closeness: number): number {
  return Math.min(MAX_GAP_STEPS, GAP_STEPS * (1 - closeness));
}

/** The share of the query that a literal makes up, 0 to 1: in a long text it is weak evidence. */
function portionOf(literal: Literal, query: string): number {
  return Math.min(1, literal.text.length / query.length);
}

function detailOf({ line, share }: LiteralMatch): string {
  const part = share === 1 ? "" : `, ${share.toFixed(2)} of the text`;
  return `line ${line + 1} of the chunk${part}`;
}
