/** What a hit is shown as. */

import { expect, it } from "vitest";
import { search } from "../../../server/search/search.ts";
import { contextOf, embedded, indexOf, lanesOf, symbolNamed } from "../support.ts";

it("has the name of what its best line defines", async () => {
  const text = ["// adds up many totals", "function tally() {}", "function addNothing() {}"];
  const symbols = [symbolNamed("addNothing:function", 2), symbolNamed("tally:function", 1)];
  const chunk = embedded("src/sums.ts", text.join(" "));
  const lines = { start: 0, end: 2 };
  const context = {
    ...contextOf(indexOf("app", lanesOf({ ...chunk, lines, symbols }))),
    readLines: async () => text,
  };
  const { hits } = await search(context, { query: "what adds up many totals" });
  expect(hits[0]).toMatchObject({ bestLine: { line: 1 }, symbol: { name: "tally" } });
});
