/** The least score of a hit that contains the query. */

import { expect, it } from "vitest";
import { leastProbability } from "../../../server/search/literal/place-literals.ts";
import { relevanceOf } from "../../../server/search/results/score.ts";

it("is high for the first exact match alone, and above the limit for weak matches for the others", () => {
  const exact = { match: undefined, steps: 1, share: 1, isSure: true };
  expect(leastProbability(exact, 0)).toBeGreaterThanOrEqual(0.5);
  expect(leastProbability({ ...exact, isSure: false }, 0)).toBeLessThan(0.1);
  const score = leastProbability(exact, 1);
  expect(score).toBeLessThan(0.1);
  expect(relevanceOf({ score, isChance: false })).toBe("strong");
});
