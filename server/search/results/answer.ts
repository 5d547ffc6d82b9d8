/** Turns ranked chunks into the hits that a user sees. */

import type { ChunkFacts } from "../../contracts/lanes.ts";
import type { CodeSymbol, Hit, Lines } from "../../contracts/model.ts";
import type { AnalyzedHit, SearchRequest } from "../../contracts/session.ts";
import type { ReadLines } from "../context.ts";
import { matchTypeOf } from "../lanes/fuse.ts";
import { bestSymbol, toKnownName, toName } from "../lanes/symbol-index.ts";
import type { Query } from "../query/query.ts";
import { termsOf } from "../query/stem.ts";
import type { RankedHit } from "../ranking.ts";
import { asText, contextRange } from "./expand.ts";

/** A hit of a search: the chunk, with the lines around it where they are asked for. */
export async function toHit(
  placed: RankedHit,
  query: Query,
  request: SearchRequest,
  readLines: ReadLines,
): Promise<AnalyzedHit> {
  const { root, facts, ranks, reasons, symbols, otherSymbols } = placed;
  const range = contextRange(facts, request);
  const lines = request.includeText ? await readLines(root, facts.path, range) : undefined;
  return {
    ...hitAt(placed, shownSymbol(placed, query), facts.lines, withinFile(range, lines)),
    ...(symbols.length === 0 ? {} : { symbols }),
    ...(otherSymbols.length === 0 ? {} : { otherSymbols }),
    ...(lines === undefined ? {} : { text: asText(lines) }),
    ...(request.explain ? { why: reasons } : {}),
    ranks,
  };
}

/** A hit at one definition of the chunk. */
export function toSymbolHit(placed: RankedHit, symbol: CodeSymbol | undefined): Hit {
  const { facts } = placed;
  const lines = symbol?.lines ?? facts.lines;
  return hitAt(placed, symbol, lines, contextRange({ lines, context: lines }, {}));
}

function hitAt(
  { index, root, facts, evidence, score }: RankedHit,
  symbol: CodeSymbol | undefined,
  lines: Lines,
  range: Lines,
): Hit {
  return {
    index,
    root,
    path: facts.path,
    lines,
    contextRange: range,
    score,
    matchType: matchTypeOf(evidence),
    languageId: facts.languageId,
    ...(symbol === undefined ? {} : { symbol }),
    ...(facts.blockType === undefined ? {} : { blockType: facts.blockType }),
    ...(facts.hierarchy === undefined ? {} : { hierarchy: facts.hierarchy }),
  };
}

/** Without what only `analyze` shows. */
export function withoutRanks({ ranks: _ranks, ...hit }: AnalyzedHit): Hit {
  return hit;
}

function shownSymbol({ symbols, facts }: RankedHit, query: Query): CodeSymbol | undefined {
  return query.report === undefined ? symbolOf(facts, query) : symbols[0];
}

/** The definition that answers a name of the query best, else the one that shares most words with it, else the first. */
export function symbolOf({ symbols }: ChunkFacts, query: Query): CodeSymbol | undefined {
  const named = query.identifiers
    .map((identifier) => bestSymbol(symbols, toName(identifier)))
    .filter((each) => each !== undefined)
    .toSorted((a, b) => b.grade - a.grade);
  return named[0]?.symbol ?? nearest(symbols, termsOf(query.words));
}

function nearest(symbols: readonly CodeSymbol[], terms: readonly string[]): CodeSymbol | undefined {
  const asked = new Set(terms);
  const shared = ({ name }: CodeSymbol) =>
    termsOf(toKnownName(name).parts).filter((part) => asked.has(part)).length;
  return symbols.toSorted((a, b) => shared(b) - shared(a))[0];
}

/** Explicit context may ask for more lines than the file has; what was read says where it ends. */
function withinFile(range: Lines, lines: readonly string[] | undefined): Lines {
  if (lines === undefined || lines.length === 0) return range;
  return { start: range.start, end: Math.min(range.end, range.start + lines.length - 1) };
}
