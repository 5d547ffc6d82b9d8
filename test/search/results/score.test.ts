/** The score that users see. */

import { expect, it } from "vitest";
import { scoresOf, strengthOf } from "../../../server/search/results/score.ts";
import { createRandom } from "../support.ts";

it("is the cosine where only meaning was asked", () =>
  expect(strengthOf({ vector: 0.42 })).toBeCloseTo(0.42));
it("grows with each witness", () =>
  expect(strengthOf({ vector: 0.5, keyword: 0.5 })).toBeCloseTo(0.75));
it("is never below zero for an opposite meaning", () =>
  expect(strengthOf({ vector: -0.3 })).toBe(0));
it("is zero without evidence", () => expect(strengthOf({})).toBe(0));

it("lets neighbours in the wrong order share their mean", () =>
  expect(scoresOf([0.9, 0.2, 0.6, 0.1].map((vector) => ({ evidence: { vector } })))).toEqual([
    expect.closeTo(0.9),
    expect.closeTo(0.4),
    expect.closeTo(0.4),
    expect.closeTo(0.1),
  ]));

it("stays in 0..1 and never rises, whatever the evidence", () => {
  const random = createRandom(3);
  for (let round = 0; round < 200; round++) {
    const evidence = Array.from({ length: Math.floor(random() * 30) }, () => ({
      evidence: { vector: random() * 2 - 1, keyword: random(), symbol: random() },
    }));
    const scores = scoresOf(evidence);
    expect(scores).toHaveLength(evidence.length);
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    expect(scores.every((score, i) => i === 0 || score <= (scores[i - 1] ?? 0))).toBe(true);
  }
});
