/** Matches of a grammar's queries within a time budget. */

import { expect, it } from "vitest";
import { grammarOf, matchesOf } from "../../server/languages/grammars.ts";

it("`matchesOf` returns the first matches when the budget is spent", async () => {
  const { parser, queries } = await grammarOf("go");
  const tree = parser.parse(`package a\n${"func f() { g() }\n".repeat(2000)}`);
  if (tree === null || queries === undefined) throw new Error("no tree");
  const countMatches = (isSpent: () => boolean) => {
    const { symbols, references } = matchesOf(queries, tree.rootNode, isSpent);
    return symbols.length + (references?.length ?? 0);
  };
  let checks = 0;
  const some = countMatches(() => ++checks > 3);
  const all = countMatches(() => false);
  tree.delete();
  expect(checks).toBe(4);
  expect(some).toBeLessThan(2000);
  expect(all).toBeGreaterThan(4000);
});
