/** The definitions of a hit: those that begin in it and the one around it, best first. */

import { wordsOf } from "../../common/words.ts";
import type { ChunkFacts, Lanes } from "../../contracts/lanes.ts";
import type { CodeSymbol, Lines } from "../../contracts/model.ts";
import type { Mention } from "../lanes/mentions.ts";
import { bestSymbol, toKnownName, toName } from "../lanes/symbol-index.ts";
import type { Query } from "../query/query.ts";
import { stem, termsOf } from "../query/stem.ts";
import type { Ranked } from "../ranking.ts";

/** What every definition of one search is compared with. */
export interface SymbolOrder {
  readonly names: readonly ReturnType<typeof toName>[];
  /** How often each word counts, stemmed. */
  readonly terms: ReadonlyMap<string, number>;
  /** Functions that a traceback names. */
  readonly functions: ReadonlySet<string>;
}

export function symbolOrderOf(query: Query): SymbolOrder {
  const terms = new Map<string, number>();
  for (const term of termsOf(query.words)) terms.set(term, (terms.get(term) ?? 0) + 1);
  const places = query.report?.places ?? [];
  return {
    names: query.identifiers.slice(0, MAX_NAMES).map(toName),
    terms,
    functions: new Set(places.flatMap((place) => place.function ?? [])),
  };
}

/** A pasted text may hold thousands. */
const MAX_NAMES = 20;
const IN_TRACEBACK = 0.8;

/** Of one chunk; `around` are the definitions of its file. */
export function orderSymbols(
  { facts }: Pick<Ranked, "facts">,
  around: readonly CodeSymbol[],
  mentions: readonly Mention[],
  order: SymbolOrder,
): CodeSymbol[] {
  const own = facts.symbols;
  const enclosing = innermost(around, facts.lines);
  const isOwn = own.some(({ name }) => name === enclosing?.name);
  const all = enclosing === undefined || isOwn ? [...own] : [enclosing, ...own];
  const strength = new Map(mentions.map(({ symbol, weight }) => [symbol, weight]));
  const graded = all.map((symbol) => ({
    symbol,
    grade: gradeOf(symbol, strength.get(symbol.name) ?? 0, order),
  }));
  return graded.toSorted((a, b) => b.grade - a.grade).map(({ symbol }) => symbol);
}

/** The smallest definition in which the chunk begins. A class of which the chunk holds other methods is not what was found. */
function innermost(around: readonly CodeSymbol[], { start }: Lines): CodeSymbol | undefined {
  const size = ({ lines }: CodeSymbol) => lines.end - lines.start;
  return around
    .filter(({ lines, type }) => lines.start < start && lines.end >= start && type !== "class")
    .toSorted((a, b) => size(a) - size(b))[0];
}

function gradeOf(symbol: CodeSymbol, mention: number, { names, terms, functions }: SymbolOrder) {
  const named = Math.max(0, ...names.map((name) => bestSymbol([symbol], name)?.grade ?? 0));
  const name = toKnownName(symbol.name);
  const traced = functions.has(name.last) || functions.has(name.text) ? IN_TRACEBACK : 0;
  const words = [...name.parts, ...wordsOf(name.text.slice(0, -name.last.length))].map(stem);
  const shared = words.reduce((sum, word) => sum + Math.min(4, terms.get(word) ?? 0), 0);
  return 2 * (named + mention + traced) + shared / (4 * Math.max(1, words.length));
}

/** All definitions of the files of these hits, by path. */
export async function definitionsOfFiles(
  hits: readonly { readonly facts: Pick<ChunkFacts, "path"> }[],
  lanes: Lanes,
): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
  const paths = [...new Set(hits.map(({ facts }) => facts.path))];
  const facts = await lanes.facts(await lanes.chunksOf(paths));
  const found = new Map<string, CodeSymbol[]>();
  for (const { path, symbols } of facts.values()) {
    const known = found.get(path);
    if (known === undefined) found.set(path, [...symbols]);
    else known.push(...symbols);
  }
  return found;
}
