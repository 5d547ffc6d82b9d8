/** Loads tree-sitter grammars on first use and compiles their queries: one parser and one query per language and thread. */

import { readFile } from "node:fs/promises";
import { Language, type Node, Parser, Query, type QueryMatch } from "web-tree-sitter";
import { restoreQuery } from "./compiled-query.ts";
import { type Item, ItemCollector, type Role, rolesOf } from "./facts/collect.ts";
import { grammarFile } from "./grammar-files.ts";
import { compileForBaseline } from "./large-functions.ts";
import type { IsSpent } from "./parse.ts";
import { startRuntime } from "./runtime.ts";

export interface Grammar {
  readonly parser: Parser;
  /** Undefined for a user grammar without a query. */
  readonly queries: JoinedQuery | undefined;
}

/**
 * Both queries of a language in one, so that one walk of the tree finds all matches: the patterns of symbols.scm, followed
 * by references.scm. Two walks take 5 % more instructions of a worker (caddy).
 */
interface JoinedQuery {
  readonly query: Query;
  readonly hasReferences: boolean;
  /** By capture name. */
  readonly roles: ReadonlyMap<string, Role>;
  /** The index of the first pattern of references.scm. */
  readonly firstReference: number;
}

/** The query files of a grammar. */
interface GrammarQueries {
  readonly symbols?: string | undefined;
  readonly references?: string | undefined;
  /** The compiled query, made at build time. */
  readonly compiled?: string | undefined;
}

export interface Matches {
  /** Matches of symbols.scm. */
  readonly symbols: readonly QueryMatch[];
  /** Items of references.scm; undefined for languages that the graph does not support. */
  readonly references: readonly Item[] | undefined;
}

const loaded = new Map<string, Promise<Grammar>>();

/** Loads a grammar once; a failed load is retried by the next call. */
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

/** Loads a grammar and compiles its queries. Rejects if any of the files is invalid. */
export async function load(wasmFile: string, queries: GrammarQueries): Promise<Grammar> {
  await startRuntime();
  const [wasm, symbols, references, compiled] = await Promise.all([
    readFile(wasmFile),
    queries.symbols === undefined ? undefined : readFile(queries.symbols, "utf8"),
    queries.references === undefined ? "" : readFile(queries.references, "utf8"),
    // If the compiled query is missing, the query is compiled here.
    queries.compiled === undefined ? undefined : readFile(queries.compiled).catch(() => undefined),
  ]);
  const baseline = compileForBaseline(wasm);
  const language = baseline === undefined ? await Language.load(wasm) : Language.loadSync(baseline);
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

/** Incomplete if the budget is spent. */
export function matchesOf(joined: JoinedQuery, root: Node, isSpent: IsSpent): Matches {
  const collector = new ItemCollector(joined.roles);
  const symbols: QueryMatch[] = [];
  for (const match of joined.query.matches(root, { progressCallback: isSpent })) {
    if (match.patternIndex >= joined.firstReference) collector.add(match.captures);
    else symbols.push(match);
  }
  return { symbols, references: joined.hasReferences ? collector.items : undefined };
}
