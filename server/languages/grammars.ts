/** Loads grammars when they are first needed: a parser and its query for each language, once a thread. */

import { readFile } from "node:fs/promises";
import {
  Language,
  type Node,
  Parser,
  Query,
  type QueryCapture,
  type QueryMatch,
} from "web-tree-sitter";
import { type Item, ItemCollector } from "./facts/collect.ts";
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
  readonly hasReferences: boolean;
  /** Where matches of references.scm go while the query is asked. */
  collector: ItemCollector;
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
  readonly references: readonly Item[] | undefined;
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
  const joined = { query, hasReferences: references !== "", collector: new ItemCollector() };
  const length = Buffer.byteLength(symbols);
  const predicates = predicatesOf(query);
  for (const [pattern, own] of predicates.entries()) {
    if (query.startIndexForPattern(pattern) < length) continue;
    predicates[pattern] = [...own, (captures) => collectInto(joined, captures)];
  }
  return joined;
}

type TextPredicate = (captures: readonly QueryCapture[]) => boolean;

/** What is asked of each match before it is kept, by pattern. The package has it, but not in its types. */
function predicatesOf(query: Query): (readonly TextPredicate[])[] {
  const { textPredicates } = query as unknown as { textPredicates?: (readonly TextPredicate[])[] };
  if (textPredicates?.length !== query.patternCount())
    throw new Error("this version of web-tree-sitter has no predicates by pattern");
  return textPredicates;
}

/** As the last predicate of a pattern: what the collector has taken is not kept as a match. */
function collectInto({ collector }: JoinedQuery, captures: readonly QueryCapture[]): boolean {
  collector.add(captures);
  return false;
}

/** Incomplete when the budget is spent. */
export function matchesOf(joined: JoinedQuery, root: Node, isSpent: IsSpent): Matches {
  const collector = new ItemCollector();
  joined.collector = collector;
  const symbols = joined.query.matches(root, { progressCallback: isSpent });
  return { symbols, references: joined.hasReferences ? collector.items : undefined };
}
