/** Which results a memoized function keeps. */

import { expect, it } from "vitest";
import { memoize } from "../../server/common/memoize.ts";

function counted(max: number) {
  const asked: string[] = [];
  const lengthOf = memoize((text) => {
    asked.push(text);
    return text.length;
  }, max);
  return { asked, lengthOf };
}

it("memoize calls the function once per text", () => {
  const { asked, lengthOf } = counted(10);
  expect(["a", "bb", "a", "bb"].map(lengthOf)).toEqual([1, 2, 1, 2]);
  expect(asked).toEqual(["a", "bb"]);
});

it("memoize keeps a text in use and evicts an unused one", () => {
  const { asked, lengthOf } = counted(4);
  lengthOf("once");
  for (const text of ["b", "c", "d", "e", "f"]) {
    lengthOf("often");
    lengthOf(text);
  }
  lengthOf("once");
  expect(asked.filter((text) => text === "often")).toHaveLength(1);
  expect(asked.filter((text) => text === "once")).toHaveLength(2);
});
