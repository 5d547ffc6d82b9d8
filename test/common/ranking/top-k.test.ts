/** Choosing the best without sorting everything. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { TopK } from "../../../server/common/ranking/top-k.ts";

it("equals the first entries of the sorted list", () => {
  const check = (limit: number, scores: readonly number[]) => {
    const best = new TopK(limit, (a, b) => a - b);
    scores.forEach((score, item) => best.offer(item, score));
    const sorted = scores
      .map((score, item) => ({ item, score }))
      .toSorted((a, b) => b.score - a.score || a.item - b.item);
    expect(best.best()).toEqual(sorted.slice(0, limit));
  };
  const scores = fc.array(fc.nat(39), { maxLength: 300 });
  fc.assert(fc.property(fc.constantFrom(1, 2, 7, 50, 500), scores, check), {
    seed: 1,
    numRuns: 50,
  });
});

it("gives nothing for nothing", () => {
  expect(new TopK(5, (a, b) => a - b).best()).toEqual([]);
});
