/** Several indexes in one list. */

import { expect, it } from "vitest";
import { mergeLists } from "../../../server/search/results/merge.ts";

/** Each list is written as `name:score`, best first. */
function check(lists: string[], limit: number, expected: string): void {
  const read = (list: string) =>
    list
      .split(" ")
      .map((each) => ({ name: each.split(":")[0], score: Number(each.split(":")[1]) }));
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
