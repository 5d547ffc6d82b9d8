/** The prose of the project uses plain English: phrases that readers stumble over become fewer and never more. */

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { filesWithProse, PHRASES, phrasesIn } from "../scripts/code-metrics/phrases.ts";
import allowed from "./tidy-allowed.json" with { type: "json" };

const ROOT = resolve(import.meta.dirname, "..");

it("has at most the allowed number of each phrase, and lists no number that can be lowered", () => {
  const counts: Record<string, number> = Object.fromEntries(PHRASES.map(([name]) => [name, 0]));
  for (const path of filesWithProse(ROOT)) {
    for (const { name } of phrasesIn(path, readFileSync(join(ROOT, path), "utf8")))
      counts[name] = (counts[name] ?? 0) + 1;
  }
  // More: rewrite the sentence (`npm run -s code-metrics -- --phrases` lists them). Fewer: lower the number.
  expect(counts).toEqual(allowed);
});

it.each([
  [
    "a.ts",
    '/** What is stored. */\nconst told = "nobody asks";',
    ["headless what", "somebody, nobody"],
  ],
  ["a.md", "The files that are told.\n```\nwhat is code\n```\n", ["told, tells"]],
  ["a.ts", "const whatIs = tellsNothing(); // those that stay", ["those that, those of"]],
])("finds phrases in the prose of %s alone", (path, text, names) => {
  expect(phrasesIn(path, text).map(({ name }) => name)).toEqual(names);
});
