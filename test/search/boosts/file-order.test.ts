/** The order of the files for a long question. */

import { describe, expect, it } from "vitest";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { FILE_FEATURES, fileFeaturesOf } from "../../../server/search/boosts/file-features.ts";
import { fileOrder } from "../../../server/search/boosts/file-order.ts";
import { PLACE_FEATURES, type PlaceFeature } from "../../../server/search/boosts/place-features.ts";
import { parseQuery } from "../../../server/search/query/query.ts";
import { termsOf } from "../../../server/search/query/stem.ts";
import { type Ranked, sortByScore } from "../../../server/search/ranking.ts";
import { chunkOf, factsOf, rankedOf } from "../support.ts";

const LONG = "where are the idle sessions of a broker removed after some time without any message";
const SHORT = "where are idle sessions of a broker removed";

/** A list of constants that leads, and a function that is named with words of the question. */
const CHUNKS = [
  chunkOf("limits.ts", "", "LIMITS:variable", { start: 0 }),
  chunkOf("broker.ts", "", "removeIdleSessions:function", { start: 40 }),
];

function apply(
  text: string,
  chunks: readonly StoredChunk[],
  wordsInFile: Readonly<Record<string, number>> = {},
): readonly Ranked[] {
  const hits = rankedOf(factsOf(...chunks), (chunk) => 1 - chunk / 100).map((hit) => ({
    ...hit,
    evidence: { vector: 0.5 },
    ranks: { vector: hit.chunk + 1 },
  }));
  const query = parseQuery(text, () => undefined);
  const ordered = fileOrder.apply(hits, {
    query,
    filter: undefined,
    filesMatchingIdentifier: new Map(),
    filesMatchingPath: new Map(),
    fileWords: new Map(Object.entries(wordsInFile)),
    wordRarities: new Map(termsOf(query.words).map((word) => [word, 1])),
    relatedRarities: new Map(),
  });
  return sortByScore(ordered);
}

const pathsOf = (hits: readonly Ranked[]) => hits.map(({ facts }) => facts.path);

describe("file-order", () => {
  it("puts the file first whose function is named with words of a long question", () => {
    expect(pathsOf(apply(LONG, CHUNKS))).toEqual(["broker.ts", "limits.ts"]);
  });

  it("leaves the order of a question of nine words or fewer, and of one with a name", () => {
    expect(pathsOf(apply(SHORT, CHUNKS))).toEqual(["limits.ts", "broker.ts"]);
    expect(pathsOf(apply(`${LONG} in LIMITS_OF`, CHUNKS))).toEqual(["limits.ts", "broker.ts"]);
  });

  it("prefers the file that contains more words of the question", () => {
    const alike = ["a.ts", "b.ts"].map((path) => chunkOf(path, "", "run:function", { start: 40 }));
    expect(pathsOf(apply(LONG, alike, { "a.ts": 1 }))).toEqual(["a.ts", "b.ts"]);
    expect(pathsOf(apply(LONG, alike, { "b.ts": 1 }))).toEqual(["b.ts", "a.ts"]);
  });

  it("multiplies the scores of all chunks of a file by one factor; the best file has 1", () => {
    const chunks = [...CHUNKS, chunkOf("limits.ts", "", "check:function", { start: 80 })];
    const factors = new Map<string, Set<string>>();
    for (const { chunk, facts, score } of apply(LONG, chunks)) {
      const factor = (score / (1 - chunk / 100)).toFixed(9);
      factors.set(facts.path, (factors.get(facts.path) ?? new Set()).add(factor));
    }
    expect([...factors.values()].map(({ size }) => size)).toEqual([1, 1]);
    expect(Math.max(...[...factors.values()].flatMap((each) => [...each].map(Number)))).toBe(1);
  });

  it("keeps files that are not compared behind the compared ones", () => {
    const many = Array.from({ length: 130 }, (_, i) =>
      chunkOf(`f${i}.ts`, "", "run:function", { start: 40 }),
    );
    const after = pathsOf(apply(LONG, many));
    const rest = new Set(many.slice(100).map(({ path }) => path));
    expect(after.slice(0, 100).filter((path) => rest.has(path))).toEqual([]);
  });
});

describe("the features of a file", () => {
  const place = (features: Partial<Record<PlaceFeature, number>>) =>
    PLACE_FEATURES.map((name) => features[name] ?? 0);
  const named = (places: readonly (readonly number[])[], wordsInFile = 0) => {
    const values = fileFeaturesOf(places, wordsInFile, (each) => each[0] ?? 0);
    return Object.fromEntries(FILE_FEATURES.map((name, i) => [name, values[i]]));
  };

  it("come from its best place, and from the ranks, cosines and scores of all places", () => {
    const features = named(
      [
        place({ share: 0.4, cosine: 0.6, vectorRank: 0.1, hasType: 1 }),
        place({ share: 0.8, cosine: 0.3, keywordRank: 0.2, hasFunction: 1 }),
      ],
      0.7,
    );
    expect(features).toMatchObject({ hasFunction: 1, hasType: 0, cosine: 0.3, keywordRank: 0.2 });
    expect(features).toMatchObject({ bestVectorRank: 0.1, bestKeywordRank: 0.2, wordsInFile: 0.7 });
    expect(features["meanCosine"]).toBeCloseTo(0.3);
    expect(features["second"]).toBeCloseTo(0.5);
    expect(features["byVector"]).toBeCloseTo(Math.log(2));
  });

  it("are the same for any order of its places", () => {
    const places = [0.2, 0.9, 0.5].map((share) => place({ share, cosine: share / 2 }));
    expect(named(places.toReversed())).toEqual(named(places));
  });
});
