/** Loads grammars when they are first needed: a parser and its query for each language, once a thread. */

import { readFile } from "node:fs/promises";
import { Language, type Node, Parser, Query, type QueryMatch } from "web-tree-sitter";
import { grammarFile } from "./grammar-files.ts";
import type { IsSpent } from "./parse.ts";

export interface Grammar {
  readonly parser: Parser;
  /** Undefined for a grammar of the user that has no query. */
  readonly queries: JoinedQuery | undefined;
}

/**
 * Both queries of a language as one, so that a tree is walked once: the patterns of symbols.scm, then those of
 * references.scm. A worker then needs 5 % fewer instructions for all of its work (caddy) than with two walks.
 */
interface JoinedQuery {
  readonly query: Query;
  readonly symbolPatterns: number;
  readonly hasReferences: boolean;
}

/** The query files of a grammar. */
export interface GrammarQueries {
  readonly symbols?: string | undefined;
  readonly references?: string | undefined;
}

export interface Matches {
  /** Definitions, as symbols.scm names them. */
  readonly symbols: readonly QueryMatch[];
  /** Imports, calls and types, as references.scm names them; undefined where the graph does not know the language. */
  readonly references: readonly QueryMatch[] | undefined;
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
    queries: symbols === undefined ? undefined : join(language, symbols, references),
  };
}

function join(language: Language, symbols: string, references: string): JoinedQuery {
  const query = new Query(language, `${symbols}\n${references}`);
  const length = Buffer.byteLength(symbols);
  let symbolPatterns = 0;
  const all = query.patternCount();
  while (symbolPatterns < all && query.startIndexForPattern(symbolPatterns) < length)
    symbolPatterns++;
  return { query, symbolPatterns, hasReferences: references !== "" };
}

/** Incomplete when the budget is spent. */
export function matchesOf(
  { query, symbolPatterns, hasReferences }: JoinedQuery,
  root: Node,
  isSpent: IsSpent,
): Matches {
  const all = query.matches(root, { progressCallback: isSpent });
  if (!hasReferences) return { symbols: all, references: undefined };
  const symbols: QueryMatch[] = [];
  const references: QueryMatch[] = [];
  for (const match of all) (match.patternIndex < symbolPatterns ? symbols : references).push(match);
  return { symbols, references };
}
