/** Loads grammars when they are first needed: a parser and its query for each language, once a thread. */

import { readFile } from "node:fs/promises";
import { Language, type Node, Parser, Query, type QueryMatch } from "web-tree-sitter";
import { restoreQuery } from "./compiled-query.ts";
import { type Item, ItemCollector, type Role, rolesOf } from "./facts/collect.ts";
import { grammarFile } from "./grammar-files.ts";
import type { IsSpent } from "./parse.ts";
import { startRuntime } from "./runtime.ts";

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
  readonly hasReferences: boolean;
  /** By capture name. */
  readonly roles: ReadonlyMap<string, Role>;
  /** The number of the first pattern of references.scm. */
  readonly firstReference: number;
}

/** The query files of a grammar. */
export interface GrammarQueries {
  readonly symbols?: string | undefined;
  readonly references?: string | undefined;
  /** Both as they were compiled at build time. */
  readonly compiled?: string | undefined;
}

export interface Matches {
  /** Definitions, as symbols.scm names them. */
  readonly symbols: readonly QueryMatch[];
  /** Imports, calls and types, as references.scm names them; undefined where the graph does not know the language. */
  readonly references: readonly Item[] | undefined;
}

const loaded = new Map<string, Promise<Grammar>>();

/** The same grammar for every caller; a load that failed is tried again by the next one. */
export function grammarOf(languageId: string): Promise<Grammar> {
  let grammar = loaded.get(languageId);
  if (grammar === undefined) {
    grammar = load(grammarFile(languageId, "wasm"), {
      symbols: grammarFile(languageId, "scm"),
      references: grammarFile(languageId, "references.scm"),
      compiled: grammarFile(languageId, "query"),
    });
    loaded.set(languageId, grammar);
    grammar.catch(() => loaded.delete(languageId));
  }
  return grammar;
}

/** Checks everything that can be wrong with a grammar before a file meets it. */
export async function load(wasmFile: string, queries: GrammarQueries): Promise<Grammar> {
  await startRuntime();
  const [wasm, symbols, references, compiled] = await Promise.all([
    readFile(wasmFile),
    queries.symbols === undefined ? undefined : readFile(queries.symbols, "utf8"),
    queries.references === undefined ? "" : readFile(queries.references, "utf8"),
    // Where it is missing, the queries are compiled here.
    queries.compiled === undefined ? undefined : readFile(queries.compiled).catch(() => undefined),
  ]);
  const language = await Language.load(wasm);
  const parser = new Parser();
  parser.setLanguage(language);
  return {
    parser,
    queries: symbols === undefined ? undefined : join(language, symbols, references, compiled),
  };
}

function join(
  language: Language,
  symbols: string,
  references: string,
  compiled: Buffer | undefined,
): JoinedQuery {
  const source = joinedSource(symbols, references);
  const restored = compiled && restoreQuery(language, source, compiled);
  const query = restored ?? new Query(language, source);
  const length = Buffer.byteLength(symbols);
  const starts = Array.from({ length: query.patternCount() }, (_, pattern) =>
    query.startIndexForPattern(pattern),
  );
  const first = starts.findIndex((start) => start >= length);
  return {
    query,
    roles: rolesOf(query.captureNames),
    hasReferences: references !== "",
    firstReference: first < 0 ? starts.length : first,
  };
}

export function joinedSource(symbols: string, references: string): string {
  return `${symbols}\n${references}`;
}

/** Incomplete when the budget is spent. */
export function matchesOf(joined: JoinedQuery, root: Node, isSpent: IsSpent): Matches {
  const collector = new ItemCollector(joined.roles);
  const symbols: QueryMatch[] = [];
  for (const match of joined.query.matches(root, { progressCallback: isSpent })) {
    if (match.patternIndex >= joined.firstReference) collector.add(match.captures);
    else symbols.push(match);
  }
  return { symbols, references: joined.hasReferences ? collector.items : undefined };
}
