/** Matches that are read from the runtime's memory: the same ones that the package gives as objects. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Node } from "web-tree-sitter";
import { type Capture, eachMatch } from "../../server/languages/ask-query.ts";
import { grammarOf } from "../../server/languages/grammars.ts";

const GRAMMARS = new URL("../../grammars/", import.meta.url);

/** Some with predicates, and one whose text has characters outside of ASCII. */
const LANGUAGES = ["go", "ruby", "python", "typescript", "rust", "cpp", "elixir"];

const seen = ({ name, node }: { readonly name: string; readonly node: Capture | Node }) => ({
  name,
  id: node.id,
  start: node.startIndex,
  end: node.endIndex,
  text: node.text,
  type: node.type,
});

function sampleOf(language: string): string {
  const folder = fileURLToPath(new URL(`${language}/`, GRAMMARS));
  const file = readdirSync(folder).find((name) => name.startsWith("sample"));
  return readFileSync(`${folder}/${file}`, "utf8");
}

describe.each(LANGUAGES)("the query of %s", (language) => {
  it("finds what the package finds", async () => {
    const { parser, queries } = await grammarOf(language);
    const text = `\n\n${sampleOf(language)}`;
    const tree = parser.parse(text);
    if (tree === null || queries === undefined) throw new Error(`no tree of ${language}`);
    const found: unknown[] = [];
    eachMatch(
      queries,
      tree.rootNode,
      text,
      () => false,
      (match) => {
        const captures = match.toCaptures();
        captures.forEach(({ id, startIndex, endIndex }, place) => {
          expect([match.idAt(place), match.startAt(place), match.endAt(place)]).toEqual([
            id,
            startIndex,
            endIndex,
          ]);
        });
        found.push({ pattern: match.pattern, captures: captures.map(seen) });
      },
    );
    const expected = queries.query
      .matches(tree.rootNode)
      .map(({ patternIndex: pattern, captures }) => ({ pattern, captures: captures.map(seen) }));
    tree.delete();
    expect(found.length).toBeGreaterThan(5);
    expect(found).toEqual(expected);
  });
});

it("stops when the time is up", async () => {
  const { parser, queries } = await grammarOf("go");
  const text = `package a\n${"func f() { g() }\n".repeat(2000)}`;
  const tree = parser.parse(text);
  if (tree === null || queries === undefined) throw new Error("no tree");
  let [matches, asked] = [0, 0];
  eachMatch(
    queries,
    tree.rootNode,
    text,
    () => ++asked > 3,
    () => matches++,
  );
  expect(asked).toBe(4);
  expect(matches).toBeLessThan(2000);
  eachMatch(
    queries,
    tree.rootNode,
    text,
    () => false,
    () => matches++,
  );
  tree.delete();
  expect(matches).toBeGreaterThan(4000);
});
