/** What a remembered function is asked again: what was used lately stays, and the rest is forgotten. */

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

it("asks once for each text", () => {
  const { asked, lengthOf } = counted(10);
  expect(["a", "bb", "a", "bb"].map(lengthOf)).toEqual([1, 2, 1, 2]);
  expect(asked).toEqual(["a", "bb"]);
});

it("keeps a text that is asked for again and again, and forgets one that is not", () => {
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
