/** The fitting and the figures of `npm run calibrate`. */

import { describe, expect, it } from "vitest";
import type { Kind, Listed } from "../../scripts/calibration/ask.ts";
import { ece, type Judged, reportOn } from "../../scripts/calibration/figures.ts";
import { fitModels } from "../../scripts/calibration/fit.ts";
import { nameQuestions } from "../../scripts/calibration/questions.ts";
import { parseTasks } from "../../scripts/evaluation/tasks.ts";
import { FEATURE_NAMES } from "../../server/search/results/features.ts";
import { SCORE_MODELS } from "../../server/search/results/score-model.ts";
import { type Random, random } from "../support/random.ts";

const LEADS = FEATURE_NAMES.indexOf("leads");
const BEST_VECTOR = FEATURE_NAMES.indexOf("bestVector");

interface Outcome {
  readonly isRight: boolean;
  readonly isInRightFile?: boolean;
}

function listOf(kind: Kind, outcomes: readonly Outcome[], repo = "shop"): Listed {
  const hits = outcomes.map(({ isRight, isInRightFile = isRight }, i) => ({
    isRight,
    isInRightFile,
    score: 0.9,
    relevance: "strong" as const,
    features: FEATURE_NAMES.map((_, at) => {
      if (at === BEST_VECTOR) return kind === "own" ? 0.8 : 0.1;
      return at === LEADS && i === 0 ? 1 : 0;
    }),
  }));
  return { repo, kind, mode: "hybrid", id: "", query: "", hits };
}

/** First hits are right in .7 of the lists, second ones in .1; the questions that have no answer look different. */
function sample(chance: Random): Listed[] {
  return Array.from({ length: 2400 }, (_, i) => {
    const repo = `repository ${i % 12}`;
    if (i % 5 === 0) return listOf("foreign", [{ isRight: false }, { isRight: false }], repo);
    const [first, second] = [chance.share() < 0.7, chance.share() < 0.1];
    return listOf("own", [{ isRight: first }, { isRight: second }], repo);
  });
}

describe("the calibration error", () => {
  const judged = (scores: readonly number[], outcomes: readonly Outcome[]): Judged => ({
    list: listOf("own", outcomes),
    scores,
    isChance: false,
  });
  const [right, wrong] = [{ isRight: true }, { isRight: false, isInRightFile: true }];

  it("is the distance of the score from the share of right hits", () => {
    const lists = [judged([0.75], [right]), judged([0.75], [wrong])];
    expect(ece(lists, (hit) => hit.isRight)).toBeCloseTo(0.25);
    expect(ece(lists, (hit) => hit.isInRightFile)).toBeCloseTo(0.25);
  });

  it("adds up the bins by their hits", () => {
    const lists = [judged([0.95, 0.45, 0.05], [right, wrong, wrong])];
    expect(ece(lists, (hit) => hit.isRight)).toBeCloseTo((0.05 + 0.45 + 0.05) / 3);
  });
});

describe("the fit", () => {
  const { report, sourceOf } = fitModels(sample(random(5)));
  const [, shown = "", fitted = ""] =
    /as the server([^]+?)fitted without([^]+?)semantic/.exec(report) ?? [];
  const errorIn = (text: string) => Number(/ECE by place: questions ([\d.]+)/.exec(text)?.[1]);

  it("is calibrated for repositories that it has not seen", () => {
    expect(errorIn(shown)).toBeCloseTo(0.5, 1);
    expect(errorIn(fitted)).toBeLessThan(0.03);
  });

  it("rejects lists that nothing answers", () =>
    expect(fitted).toContain("foreign 100.0 % of 480"));

  it.each([
    ["score", "chance"],
    ["chance", "score"],
  ] as const)("writes %s and leaves %s", (part, other) => {
    const line = (name: string) => `${name}: [${SCORE_MODELS.hybrid[name as "score"].join(", ")}]`;
    expect(sourceOf(part)).toContain(line(other));
    expect(sourceOf(part)).not.toContain(line(part));
    expect(sourceOf(part).includes(`minChance: ${SCORE_MODELS.hybrid.minChance}`)).toBe(
      part === "score",
    );
  });
});

it("counts a right first hit of a list taken for chance as not strong", () => {
  const of = (isChance: boolean): Judged => ({
    list: listOf("own", [{ isRight: true }]),
    scores: [0.9],
    isChance,
  });
  expect(reportOn([of(false), of(true)]).join("\n")).toContain(
    "right first hits not strong: questions 50.0 %",
  );
});

it("asks for the names of right definitions, with all places of the same name", () => {
  const table = [
    "style\tquery\trelevant\tsecondary",
    "terse\tretry backoff\ta.c:3-9 retry\tb.c:1-2 the test of retry",
    "where\twho waits\tc.c:4-5 retry\td.c:7-8",
  ].join("\n");
  expect(nameQuestions(parseTasks("shop", table))).toEqual([
    expect.objectContaining({
      query: "retry",
      relevant: [{ path: "a.c", startLine: 3, endLine: 9, symbol: "retry" }],
      secondary: [{ path: "c.c", startLine: 4, endLine: 5, symbol: "retry" }],
    }),
  ]);
});
