/** Choosing the best without sorting everything. */

import { expect, it } from "vitest";
import { createRandom } from "../../../scripts/evaluation/random.ts";
import { TopK } from "../../../server/search/lanes/top-k.ts";

it("gives what sorting everything would give", () => {
  const random = createRandom(1);
  for (const limit of [1, 2, 7, 50, 500]) {
    const scores = Array.from({ length: 300 }, () => Math.floor(random() * 40));
    const best = new TopK(limit, (a, b) => a - b);
    scores.forEach((score, chunk) => best.offer(chunk, score));
    const sorted = scores
      .map((score, chunk) => ({ chunk, score }))
      .toSorted((a, b) => b.score - a.score || a.chunk - b.chunk);
    expect(best.best()).toEqual(sorted.slice(0, limit));
  }
});

it("gives nothing for nothing", () => {
  expect(new TopK(5, (a, b) => a - b).best()).toEqual([]);
});
