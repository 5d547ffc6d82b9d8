/** Computes the features of chunks that the boost `place-in-file` compares within a file. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { memoizeRetained } from "../../common/memoize.ts";
import { identifierPartsOf } from "../../common/words.ts";
import type { ChunkFacts } from "../../contracts/lanes.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import { isOpenQuestion } from "../query/open-question.ts";
import { stem } from "../query/stem.ts";
import { highest, type Question, type Ranked } from "../ranking.ts";

/** Chunks of this many first hits are compared; the order of further ones changes nothing that is displayed. */
const MAX_HITS = 100;

/** Features are 0 or 1 but for those with a unit. The weights are in place-weights.ts. */
export const PLACE_FEATURES = [
  /** The score so far, as a share of the best of the list. */
  "share",
  /** 1 / (rank + 5) in the lane. */
  "vectorRank",
  "keywordRank",
  /** The cosine. */
  "cosine",
  /** As a share of the best keyword score. */
  "keyword",
  "hasFunction",
  "hasType",
  "hasVariable",
  /** Without definitions: the middle of a long function, mostly. */
  "hasNone",
  /** Imports, licenses and head comments. */
  "isFirst",
  /** log(1 + count). */
  "definitions",
  /** Shares of the question's words, by rarity. */
  "wordsInNames",
  "wordsInScopes",
  "relatedInNames",
  /** log(1 + count): a definition of some length does something, a short one passes on. */
  "lines",
] as const;
export type PlaceFeature = (typeof PLACE_FEATURES)[number];

/** The hits that are compared, and their features in the order of PLACE_FEATURES. */
export interface ComparedPlaces {
  readonly hits: readonly Ranked[];
  readonly featuresOf: (hit: Ranked) => readonly number[];
}

/** Takes a sorted list; undefined for a query that names a definition, a file or a text, which asks for that place. */
export function comparedPlaces(
  all: readonly Ranked[],
  question: Question,
): ComparedPlaces | undefined {
  if (!isOpenQuestion(question.query)) return undefined;
  const hits = all.slice(0, MAX_HITS);
  const best = highest(hits) || 1;
  const bestKeyword = Math.max(0, ...hits.map(({ evidence }) => evidence.keyword ?? 0)) || 1;
  const scale = { best, bestKeyword };
  return { hits, featuresOf: (hit) => featuresOf(hit, scale, question) };
}

/** The prefix of the features in the evidence of an analysis, beside the features of the score model. */
export const PLACE_PREFIX = "place.";
/** The share of the question's words in the hit's file, which `file-order` reads. */
export const WORDS_IN_FILE = "file.words";

/** Gives the features of a hit by name, for `npm run fit-places`; nothing if the boost does not compare places. */
export function placeEvidence(
  all: readonly Ranked[],
  question: Question,
): (hit: Ranked) => Readonly<Record<string, number>> {
  const compared = comparedPlaces(all, question);
  if (compared === undefined) return () => ({});
  return (hit) => {
    const features = compared.featuresOf(hit);
    const named = PLACE_FEATURES.map((name, i) => [`${PLACE_PREFIX}${name}`, features[i] ?? 0]);
    return {
      ...Object.fromEntries(named),
      [WORDS_IN_FILE]: question.fileWords.get(hit.facts.path) ?? 0,
    };
  };
}

/** In the order of PLACE_FEATURES. */
function featuresOf(
  { score, evidence, ranks, facts }: Ranked,
  { best, bestKeyword }: { readonly best: number; readonly bestKeyword: number },
  question: Question,
): readonly number[] {
  const { symbols, lines, span } = facts;
  const { inNames, inScopes, relatedInNames } = wordSharesOf(facts, question);
  return [
    score / best,
    reciprocal(ranks["vector"]),
    reciprocal(ranks["keyword"]),
    evidence.vector ?? 0,
    (evidence.keyword ?? 0) / bestKeyword,
    has(symbols, "function", "method"),
    has(symbols, "class", "interface"),
    has(symbols, "variable"),
    symbols.length === 0 ? 1 : 0,
    span.start === 0 ? 1 : 0,
    Math.log(1 + symbols.length),
    inNames,
    inScopes,
    relatedInNames,
    Math.log(2 + lines.end - lines.start),
  ];
}

/** Shares of the question's words, by rarity. */
interface WordShares {
  readonly inNames: number;
  readonly inScopes: number;
  readonly relatedInNames: number;
}

/** Words with their rarities, as columns: a map makes an object for each step of a walk. */
interface RareWords {
  readonly stems: readonly string[];
  readonly rarities: readonly number[];
  readonly total: number;
}

interface ComparedWords {
  readonly own: RareWords;
  readonly related: RareWords;
  readonly shares: Map<ChunkFacts, WordShares>;
}

/** By question: `file-order` and `place-in-file` compare almost the same chunks. */
const comparedWords = new WeakMap<Question, ComparedWords>();

function toComparedWords({ wordRarities, relatedRarities }: Question): ComparedWords {
  return { own: toColumns(wordRarities), related: toColumns(relatedRarities), shares: new Map() };
}

function toColumns(words: ReadonlyMap<string, number>): RareWords {
  const rarities = [...words.values()];
  return {
    stems: [...words.keys()],
    rarities,
    total: rarities.reduce((sum, rarity) => sum + rarity, 0),
  };
}

function wordSharesOf(facts: ChunkFacts, question: Question): WordShares {
  const { own, related, shares } = getOrCreate(comparedWords, question, toComparedWords);
  return getOrCreate(shares, facts, () => {
    const { names, scopes } = getOrCreate(knownStems, facts, nameStemsOf);
    return {
      inNames: shareIn(own, names),
      inScopes: shareIn(own, scopes),
      relatedInNames: shareIn(related, names),
    };
  });
}

type SymbolType = CodeSymbol["type"];

/** Whether one of the definitions is of one of the types. */
function has(symbols: readonly CodeSymbol[], type: SymbolType, other = type): number {
  for (let i = 0; i < symbols.length; i++) {
    const own = (symbols[i] as CodeSymbol).type;
    if (own === type || own === other) return 1;
  }
  return 0;
}

function reciprocal(rank: number | undefined): number {
  return rank === undefined ? 0 : 1 / (rank + 5);
}

/** The share of the words, by rarity, that are among the stems of some names or begin like one of them. */
function shareIn(
  { stems, rarities, total }: RareWords,
  names: readonly (readonly string[])[],
): number {
  let found = 0;
  for (let i = 0; i < stems.length; i++) {
    if (hasLike(names, stems[i] as string)) found += rarities[i] as number;
  }
  return total === 0 ? 0 : found / total;
}

function hasLike(names: readonly (readonly string[])[], word: string): boolean {
  for (let i = 0; i < names.length; i++) {
    const stems = names[i] as readonly string[];
    for (let k = 0; k < stems.length; k++) if (isLike(word, stems[k] as string)) return true;
  }
  return false;
}

/** A shorter stem is a prefix of too much. */
const MIN_PREFIX_LENGTH = 4;

function isLike(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.length < b.length) return a.length >= MIN_PREFIX_LENGTH && b.startsWith(a);
  return b.length >= MIN_PREFIX_LENGTH && a.startsWith(b);
}

/** A cache for names that recur across searches; about 4 MB when full. */
const REMEMBERED_NAMES = 20_000;

const stemsOf = memoizeRetained(
  (name): readonly string[] => [...new Set(identifierPartsOf(name).map(stem))],
  REMEMBERED_NAMES,
);

/** The stems of each name. */
interface NameStems {
  readonly names: readonly (readonly string[])[];
  readonly scopes: readonly (readonly string[])[];
}

/** Lanes remember the chunks that they found last. */
const knownStems = new WeakMap<ChunkFacts, NameStems>();

function nameStemsOf({ symbols, hierarchy }: ChunkFacts): NameStems {
  return {
    names: symbols.map(({ name }) => stemsOf(name)),
    scopes: hierarchy === undefined ? [] : [stemsOf(hierarchy)],
  };
}
