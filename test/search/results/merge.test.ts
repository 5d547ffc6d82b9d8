/** Several indexes in one list. */

import { expect, it } from "vitest";
import { mergeLists } from "../../../server/search/results/merge.ts";

/** Each list is written as `path:score` or `path:score:root`, best first. */
function check(lists: string[], limit: number, expected: string): void {
  const read = (list: string) =>
    list
      .split(" ")
      .map((each) => each.split(":"))
      .map(([name = "", score, root = "/r"]) => ({
        name,
        score: Number(score),
        root,
        facts: { path: name, lines: { start: 0, end: 9 } },
      }));
  expect(
    mergeLists(lists.map(read), limit)
      .map(({ name }) => name)
      .join(""),
  ).toBe(expected);
}

it("takes the better head", () => check(["a:.9 b:.5", "x:.7 y:.1"], 4, "axby"));
it("keeps the order of equals within a list, the earlier list first", () =>
  check(["a:.5 b:.5", "x:.5"], 4, "abx"));
it("stops at the limit", () => check(["a:.9 b:.8", "x:.7"], 2, "ab"));
it("lists a place once, also under two roots", () => {
  check(["in/a:.9:/r b:.5:/r", "a:.8:/r/in c:.7:/r/in"], 3, "in/acb");
  check(["a:.9:/r", "a:.8:/other"], 3, "aa");
});
