/** The prose of the project uses plain English: phrases that readers stumble over become fewer and never more. */

import { resolve } from "node:path";
import { expect, it } from "vitest";
import { countPhrases, phrasesIn } from "../scripts/code-metrics/phrases.ts";
import allowed from "./tidy-allowed.json" with { type: "json" };

const ROOT = resolve(import.meta.dirname, "..");

it("has at most the allowed number of each phrase, and lists no number that can be lowered", () => {
  // More: rewrite the sentence (`npm run -s code-metrics -- --phrases` lists them). Fewer: lower the number.
  expect(countPhrases(ROOT)).toEqual(allowed);
});

it.each([
  [
    "a.ts",
    '/** What is stored. */\nconst told = "nobody asks";',
    ["headless what", "comment without a subject", "somebody, nobody"],
  ],
  ["a.md", "The files that are told.\n```\nwhat is code\n```\n", ["told, tells"]],
  ["a.ts", "const whatIs = tellsNothing(); // those that stay", ["those that, those of"]],
])("finds phrases in the prose of %s alone", (path, text, names) => {
  expect(phrasesIn(path, text).map(({ name }) => name)).toEqual(names);
});
