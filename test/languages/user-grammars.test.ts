/** User grammars, which override or extend the built-in ones. */

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Languages } from "../../server/contracts/languages.ts";
import type { UserGrammar } from "../../server/contracts/model.ts";
import { grammarFile } from "../../server/languages/grammar-files.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import { overview } from "../../server/languages/overview.ts";

const TEXT = "function greet(name) {\n  return name;\n}\n";
const folder = mkdtempSync(join(tmpdir(), "own-grammar-"));
const symbols = join(folder, "symbols.scm");
writeFileSync(symbols, "(function_declaration name: (_) @name body: (_) @body) @class");

let languages: Languages;
beforeEach(() => {
  languages = createLanguages();
});

const own = (changes: Partial<UserGrammar>): UserGrammar => ({
  language: "toy",
  wasm: grammarFile("javascript", "wasm"),
  symbols,
  extensions: ["toy"],
  ...changes,
});

async function definitionsOf(languageId: string): Promise<string[]> {
  return languages.withSyntax(TEXT, languageId, ({ definitions, health }) => [
    health.message ?? health.status,
    ...definitions.map(({ symbol: { type, name } }) => `${type} ${name}`),
  ]);
}

describe("a language of a user grammar", () => {
  it("is found by its extension and parsed with its query", async () => {
    languages.setUserGrammars([own({})]);
    expect(languages.detect("src/hello.toy", "")).toBe("toy");
    expect(await definitionsOf("toy")).toEqual(["ok", "class greet"]);
  });
  it("has a tree but no definitions without a query", async () => {
    languages.setUserGrammars([own({ symbols: undefined })]);
    expect(await definitionsOf("toy")).toEqual(["ok"]);
  });
  it("is removed with the setting", async () => {
    languages.setUserGrammars([own({})]);
    languages.setUserGrammars([]);
    expect(languages.detect("src/hello.toy", "")).toBe("text");
    expect(await definitionsOf("toy")).toEqual(["no_grammar"]);
  });
  it("is listed with its grammar file", () => {
    const listed = overview([own({})]).find(({ id }) => id === "toy");
    expect(listed).toMatchObject({ files: ["*.toy"], grammar: own({}).wasm, symbols: "query" });
  });
});

it("A user grammar overrides a built-in one", async () => {
  languages.setUserGrammars([own({ language: "javascript" })]);
  expect(await definitionsOf("javascript")).toEqual(["ok", "class greet"]);
});

it("A user grammar that fails to load is reported, and patterns find definitions", async () => {
  languages.setUserGrammars([own({ language: "javascript", wasm: symbols })]);
  const [message, ...definitions] = await definitionsOf("javascript");
  expect(message).toMatch(/^cannot load the user grammar: /);
  expect(definitions).toEqual(["function greet"]);
  expect(languages.broken).toBe(false);
});
