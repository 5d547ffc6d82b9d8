/** Orders the chunks of each file for a question: the place that answers it is a function more often than the head of a class. */

import { memoizeRetained } from "../../common/memoize.ts";
import { partsOf } from "../../common/words.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import { stem } from "../query/stem.ts";
import { type Boost, byFile, highest, type Question, type Ranked, rescored } from "../ranking.ts";

/** Chunks of this many first hits are compared; the order of further ones changes nothing that is displayed. */
const MAX_HITS = 100;

/**
 * Weights of a linear model that predicts which chunk of a right file answers a question. Fitted to 2,043 questions on 37
 * repositories, without repositories that any set of questions here is about; the figures are in test/ranking/natural.md.
 * Features are 0 or 1 but for those with a unit.
 */
const WEIGHTS = {
  /** The score so far, as a share of the best of the list. */
  share: 0.77,
  /** 1 / (rank + 5) in the lane. */
  vectorRank: 9.4,
  keywordRank: 4.9,
  /** The cosine. */
  cosine: 2.3,
  /** As a share of the best keyword score. */
  keyword: 0.82,
  hasFunction: 1.7,
  hasType: -0.75,
  hasVariable: -0.68,
  /** Without definitions: the middle of a long function, mostly. */
  hasNone: 0.77,
  /** Imports, licenses and head comments. */
  isFirst: -0.76,
  /** log(1 + count). */
  definitions: -0.5,
  /** Shares of the question's words, by rarity. */
  wordsInNames: 1.5,
  wordsInScopes: 3,
  relatedInNames: 2,
  /** log(1 + count): a definition of some length does something, a short one passes on. */
  lines: 1.2,
} as const;

/** A shorter stem is a prefix of too much. */
const MIN_PREFIX_LENGTH = 4;

export const placeInFile: Boost = {
  name: "place-in-file",
  readsOrder: true,
  apply: (hits, question) => {
    if (!isOpenQuestion(question)) return hits;
    const first = hits.slice(0, MAX_HITS);
    const valueOf = createModel(first, question);
    const changed = new Map<Ranked, Ranked>();
    for (const [, chunks] of byFile(first)) {
      if (chunks.length === 1) continue;
      const values = new Map(chunks.map((hit) => [hit, valueOf(hit)]));
      const ordered = chunks.toSorted((a, b) => (values.get(b) ?? 0) - (values.get(a) ?? 0));
      for (const [i, hit] of ordered.entries()) {
        const { score, evidence, ranks } = chunks[i] as Ranked;
        const detail = `place ${i + 1} of ${chunks.length} in the file`;
        const placed = rescored(hit, score, "place-in-file", detail);
        if (placed !== hit) changed.set(hit, { ...placed, standsFor: { evidence, ranks } });
      }
    }
    return hits.map((hit) => changed.get(hit) ?? hit);
  },
};

/** A question that names a definition, a file or a text asks for that place. */
function isOpenQuestion({ query: { kind, identifiers, paths, quoted } }: Question): boolean {
  return kind === "sentence" && identifiers.length + paths.length + quoted.length === 0;
}

/** Gives the likelihood that a chunk answers the question, for comparison with other chunks of its file. */
function createModel(
  hits: readonly Ranked[],
  { wordRarities, relatedRarities }: Question,
): (hit: Ranked) => number {
  const best = highest(hits) || 1;
  const bestKeyword = Math.max(0, ...hits.map(({ evidence }) => evidence.keyword ?? 0)) || 1;
  return ({ score, evidence, ranks, facts }) => {
    const { symbols, hierarchy, lines, span } = facts;
    const names = symbols.flatMap(({ name }) => stemsOf(name));
    const has = (...types: readonly CodeSymbol["type"][]) =>
      symbols.some(({ type }) => types.includes(type)) ? 1 : 0;
    return (
      WEIGHTS.share * (score / best) +
      WEIGHTS.vectorRank * reciprocal(ranks["vector"]) +
      WEIGHTS.keywordRank * reciprocal(ranks["keyword"]) +
      WEIGHTS.cosine * (evidence.vector ?? 0) +
      WEIGHTS.keyword * ((evidence.keyword ?? 0) / bestKeyword) +
      WEIGHTS.hasFunction * has("function", "method") +
      WEIGHTS.hasType * has("class", "interface") +
      WEIGHTS.hasVariable * has("variable") +
      WEIGHTS.hasNone * (symbols.length === 0 ? 1 : 0) +
      WEIGHTS.isFirst * (span.start === 0 ? 1 : 0) +
      WEIGHTS.definitions * Math.log(1 + symbols.length) +
      WEIGHTS.wordsInNames * shareIn(wordRarities, names) +
      WEIGHTS.wordsInScopes *
        shareIn(wordRarities, hierarchy === undefined ? [] : stemsOf(hierarchy)) +
      WEIGHTS.relatedInNames * shareIn(relatedRarities, names) +
      WEIGHTS.lines * Math.log(2 + lines.end - lines.start)
    );
  };
}

function reciprocal(rank: number | undefined): number {
  return rank === undefined ? 0 : 1 / (rank + 5);
}

/** The share of the words, by rarity, that are among the stems or begin like one of them. */
function shareIn(words: ReadonlyMap<string, number>, stems: readonly string[]): number {
  if (stems.length === 0) return 0;
  let found = 0;
  let all = 0;
  for (const [word, rarity] of words) {
    all += rarity;
    if (stems.some((each) => isLike(word, each))) found += rarity;
  }
  return all === 0 ? 0 : found / all;
}

function isLike(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= MIN_PREFIX_LENGTH && long.startsWith(short);
}

/** A cache for names that recur across searches; about 4 MB when full. */
const REMEMBERED_NAMES = 20_000;

const stemsOf = memoizeRetained(
  (name): readonly string[] => [...new Set(partsOf(name).map(stem))],
  REMEMBERED_NAMES,
);
