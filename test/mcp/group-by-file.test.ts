/** The order of the hits in the text of an answer. */

import { expect, it } from "vitest";
import { groupByFile } from "../../server/mcp/answers.ts";

const grouped = (hits: string, best: number) =>
  groupByFile(hits.split(" "), (hit) => hit.slice(0, 1), best).join(" ");

it.each([
  ["a1 b1 c1 d1 a2 e1 d2 a3", 3, "a1 b1 c1 d1 d2 a2 a3 e1"],
  // The best ones keep their order, although two are of one file.
  ["a1 b1 a2 b2", 3, "a1 b1 a2 b2"],
  ["a1 b1 c1 d1 c2 b2 c3", 3, "a1 b1 c1 c2 c3 d1 b2"],
  ["a1 b1 a2 b2 a3", 0, "a1 a2 a3 b1 b2"],
  ["a1 b1 a2", 9, "a1 b1 a2"],
  ["a1", 3, "a1"],
])("%s with %i best ones", (hits, best, wanted) => {
  expect(grouped(hits, best)).toBe(wanted);
});
