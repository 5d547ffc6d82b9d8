/** Queries compiled at build time have the same matches as queries compiled at run time. */

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type Language, Query, type Tree } from "web-tree-sitter";
import { compiledOf, restoreQuery } from "../../server/languages/compiled-query.ts";
import { grammarFile, readGrammars } from "../../server/languages/grammar-files.ts";
import { type Grammar, joinedSource, load, matchesOf } from "../../server/languages/grammars.ts";

const GRAMMARS = resolve(import.meta.dirname, "../../grammars");
const sources = JSON.parse(readFileSync(join(GRAMMARS, "sources.json"), "utf8")) as Record<
  string,
  { readonly sample: string }
>;

const filesOf = (id: string) => ({
  symbols: grammarFile(id, "scm"),
  references: grammarFile(id, "references.scm"),
});
const sourceOf = (id: string) => {
  const { symbols, references } = filesOf(id);
  return joinedSource(readFileSync(symbols, "utf8"), readFileSync(references, "utf8"));
};

const trees: Tree[] = [];
afterAll(() => {
  for (const tree of trees) tree.delete();
});

/** All matches in a text, with offsets. */
function found({ parser, queries }: Grammar, text: string): unknown {
  const tree = parser.parse(text);
  if (tree === null || queries === undefined) throw new Error("nothing to ask");
  trees.push(tree);
  const { symbols, references } = matchesOf(queries, tree.rootNode, () => false);
  const definitions = symbols.map(({ patternIndex, captures }) => [
    patternIndex,
    ...captures.map(({ name, node }) => [name, node.startIndex, node.endIndex]),
  ]);
  return { definitions, references: JSON.stringify(references) };
}

it.each(Object.keys(readGrammars()))(
  "A restored query has the same matches in the sample of %s",
  async (id) => {
    const sample = readFileSync(join(GRAMMARS, sources[id]?.sample ?? ""), "utf8");
    const compiled = grammarFile(id, "query");
    const [here, before] = await Promise.all([
      load(grammarFile(id, "wasm"), filesOf(id)),
      load(grammarFile(id, "wasm"), { ...filesOf(id), compiled }),
    ]);
    expect(found(before, sample)).toEqual(found(here, sample));
    const bytes = (grammar: Grammar) =>
      compiledOf((grammar.queries as { query: Query }).query, sourceOf(id));
    expect(bytes(before).equals(readFileSync(compiled))).toBe(true);
    before.queries?.query.delete();
    expect(found(here, sample)).toEqual(found(here, sample));
  },
);

it("A damaged query, or one of another source, is not restored", async () => {
  const { parser } = await load(grammarFile("go", "wasm"), filesOf("go"));
  const language = parser.language as Language;
  const source = sourceOf("go");
  const compiled = readFileSync(grammarFile("go", "query"));
  expect(restoreQuery(language, source, compiled)).toBeInstanceOf(Query);
  expect(restoreQuery(language, `${source} `, compiled)).toBeUndefined();
  expect(restoreQuery(language, source, compiled.subarray(0, -1))).toBeUndefined();
  expect(restoreQuery(language, source, Buffer.alloc(0))).toBeUndefined();
  for (let at = 0; at < compiled.length; at += 97) {
    const flipped = Buffer.from(compiled);
    flipped[at] = (flipped[at] ?? 0) ^ 0x10;
    expect(restoreQuery(language, source, flipped)).toBeUndefined();
  }
  // Compiling still works afterwards.
  expect(new Query(language, "(comment) @doc").captureNames).toEqual(["doc"]);
});

it("A missing file is replaced by compiling the query", async () => {
  const compiled = grammarFile("go", "query", "/nowhere");
  const grammar = await load(grammarFile("go", "wasm"), { ...filesOf("go"), compiled });
  expect(found(grammar, "package a\nfunc f() {}\n")).toMatchObject({
    definitions: [[expect.any(Number), ["function", 10, 21], ["name", 15, 16], ["body", 19, 21]]],
  });
});
