/** Loads grammars when they are first needed: a parser and its query for each language, once a thread. */

import { readFile } from "node:fs/promises";
import { Language, Parser, Query } from "web-tree-sitter";
import { grammarFile } from "./grammar-files.ts";

export interface Grammar {
  readonly parser: Parser;
  /** The definitions, as symbols.scm names them; undefined for a grammar of the user that has no query. */
  readonly symbols: Query | undefined;
  /** Imports, calls and types, as references.scm names them; undefined where the graph does not know the language. */
  readonly references: Query | undefined;
}

/** The query files of a grammar. */
export interface GrammarQueries {
  readonly symbols?: string | undefined;
  readonly references?: string | undefined;
}

const loaded = new Map<string, Promise<Grammar>>();
let runtime: Promise<void> | undefined;

/** The same grammar for every caller; a load that failed is tried again by the next one. */
export function grammarOf(languageId: string): Promise<Grammar> {
  let grammar = loaded.get(languageId);
  if (grammar === undefined) {
    grammar = load(grammarFile(languageId, "wasm"), {
      symbols: grammarFile(languageId, "scm"),
      references: grammarFile(languageId, "references.scm"),
    });
    loaded.set(languageId, grammar);
    grammar.catch(() => loaded.delete(languageId));
  }
  return grammar;
}

/** Checks everything that can be wrong with a grammar before a file meets it. */
export async function load(wasmFile: string, queries: GrammarQueries): Promise<Grammar> {
  runtime ??= Parser.init();
  await runtime;
  const [wasm, symbols, references] = await Promise.all([
    readFile(wasmFile),
    queries.symbols === undefined ? undefined : readFile(queries.symbols, "utf8"),
    queries.references === undefined ? "" : readFile(queries.references, "utf8"),
  ]);
  const language = await Language.load(wasm);
  const parser = new Parser();
  parser.setLanguage(language);
  return {
    parser,
    symbols: symbols === undefined ? undefined : new Query(language, symbols),
    references: references === "" ? undefined : new Query(language, references),
  };
}
