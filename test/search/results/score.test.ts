/** The score that users see. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FEATURE_NAMES,
  type FeatureName,
  type Features,
} from "../../../server/search/results/features.ts";
import {
  fallingScores,
  isChance,
  probabilityOf,
  relevanceOf,
  type ScoreMode,
  strengthOf,
} from "../../../server/search/results/score.ts";

/** The first hit of a good list, with some features changed. */
function features(changes: Partial<Record<FeatureName, number>> = {}): Features {
  const good: Partial<Record<FeatureName, number>> = {
    share: 1,
    leads: 1,
    margin: 0.2,
    vector: 0.6,
    vectorRank: 1,
    keyword: 0.4,
    keywordRank: 1,
    lanes: 2,
    fileHits: 2,
    bestVector: 0.6,
    bestKeyword: 0.4,
    firstAgrees: 1,
    agreement: 0.4,
    logTerms: 1.5,
  };
  const all = { ...good, ...changes };
  return Object.fromEntries(FEATURE_NAMES.map((name) => [name, all[name] ?? 0])) as Features;
}

const probability = (changes: Partial<Record<FeatureName, number>>, mode: ScoreMode) => {
  const values = features(changes);
  return probabilityOf(
    FEATURE_NAMES.map((name) => values[name]),
    mode,
  );
};

describe("the probability that a hit is right", () => {
  const further = {
    logRank: Math.log(8),
    share: 0.5,
    leads: 0,
    margin: 0,
    vectorRank: 0.1,
    keywordRank: 0.1,
    fileHits: 1,
  };
  it.each(["hybrid", "semantic", "keyword"] as const)("falls down the list: %s", (mode) =>
    expect(probability(further, mode)).toBeLessThan(probability({}, mode) - 0.1),
  );
  it("is that of words which are hardly there", () => {
    const weak = { keyword: 0.05, bestKeyword: 0.05, vector: 0.2, bestVector: 0.2 };
    expect(probability(weak, "hybrid")).toBeLessThan(probability({}, "hybrid"));
  });
});

describe("a list", () => {
  it("a question about this code gets a list that is better than chance", () =>
    expect(isChance(features(), "hybrid")).toBe(false));
  it("words that no file contains get a list that is not better than chance", () => {
    const nothing = { bestVector: 0.15, bestKeyword: 0.02, firstAgrees: 0, agreement: 0 };
    expect(isChance(features(nothing), "hybrid")).toBe(true);
  });
});

it.each([
  [{ score: 0.9, isChance: false }, "strong"],
  [{ score: 0.01, isChance: false }, "weak"],
  [{ score: 0.9, isChance: true }, "chance"],
])("calls %o %s", (hit, expected) => expect(relevanceOf(hit)).toBe(expected));

it("puts neighbors in the wrong order evenly around their mean, between the hits next to them", () =>
  expect(fallingScores([0.9, 0.2, 0.6, 0.1])).toEqual([
    expect.closeTo(0.9),
    expect.closeTo(0.475),
    expect.closeTo(0.325),
    expect.closeTo(0.1),
  ]));

it("keeps a hit on its side of the limit for weak matches", () => {
  const ofEach = (values: readonly number[]) =>
    fallingScores(values).map((score) => relevanceOf({ score, isChance: false }));
  expect(ofEach([0.25, 0.01, 0.03, 0.06, 0.11])).toEqual(Array(5).fill("strong"));
  expect(ofEach([0.005, 0.025, 0.06, 0.065, 0.065])).toEqual(Array(5).fill("weak"));
});

it("falls strictly for any evidence, and keeps the sum", () => {
  const share = fc.integer({ min: 1, max: 999_999 }).map((millionths) => millionths / 1_000_000);
  const check = (values: readonly number[]) => {
    const scores = fallingScores(values);
    const sumOf = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0);
    expect(scores).toHaveLength(values.length);
    expect(sumOf(scores)).toBeCloseTo(sumOf(values));
    expect(scores.every((score, i) => i === 0 || score < (scores[i - 1] ?? 0))).toBe(true);
    expect(scores.every((score) => score > 0 && score < 1)).toBe(true);
  };
  fc.assert(fc.property(fc.array(share, { maxLength: 29 }), check), { seed: 3, numRuns: 200 });
});

it("takes the lanes for independent witnesses where nothing was measured", () => {
  expect(strengthOf({ vector: 0.5, keyword: 0.5 })).toBeCloseTo(0.75);
  expect(strengthOf({ vector: -0.3 })).toBe(0);
});
