/** Turns ranked chunks into displayed hits. */

import { dotProduct } from "../../common/dot-product.ts";
import { BadRequest } from "../../common/errors.ts";
import { getOrCreate } from "../../common/get-or-create.ts";
import { memoizeRetained } from "../../common/memoize.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { ChunkFacts } from "../../contracts/lanes.ts";
import type { BestLine, CodeSymbol, Hit, Lines } from "../../contracts/model.ts";
import type { AnalyzedHit, SearchRequest } from "../../contracts/session.ts";
import type { OpenLanes, ReadLines } from "../context.ts";
import { matchTypeOf } from "../lanes/fuse.ts";
import { bestSymbol, toKnownName } from "../lanes/symbol-names.ts";
import type { Query } from "../query/query.ts";
import { termsOf } from "../query/stem.ts";
import type { RankedHit } from "../ranking.ts";
import { chooseLine, displayedLine, type LineQuery, lineQueryOf } from "./best-line.ts";
import { asText, contextRange, rangeWithLine } from "./expand.ts";
import { toFurtherPlaces } from "./further-places.ts";
import { relevanceOf } from "./score.ts";

/** Number of files read concurrently: a read takes up to a millisecond, and longer on a network disk. */
export const HITS_AT_ONCE = 5;

/** The context shared by all hits of one search. */
export interface Showing {
  readonly query: Query;
  readonly lines: LineQuery;
  readonly readLines: ReadLines;
  /** The cosine of the query and a line by the built-in model; undefined for an index of another model. */
  readonly likenessIn: (index: string, root: string) => Likeness | undefined;
}

type Likeness = (line: string) => Promise<number>;

export function showingOf(query: Query, open: readonly OpenLanes[], readLines: ReadLines): Showing {
  const rarityOf = (term: string) =>
    open.reduce((least, { lanes }) => Math.min(least, lanes.rarityOf(term)), Infinity);
  return {
    query,
    lines: lineQueryOf(query, rarityOf),
    readLines,
    likenessIn: (name, root) => {
      const found = open.find(({ index }) => index.name === name && index.root === root);
      const embedder = found?.index.embedder;
      // A remote model would cost a request per line.
      return embedder?.isLocal === true ? createLikeness(embedder, query.text) : undefined;
    },
  };
}

/** The cosine with the query. A text without any word of the model's vocabulary has cosine -1. */
function createLikeness(embedder: Pick<Embedder, "embedQuery">, query: string): Likeness {
  let queryVector: Promise<Float32Array | undefined> | undefined;
  const embed = async (text: string) => {
    try {
      return await embedder.embedQuery(text);
    } catch (error) {
      if (error instanceof BadRequest) return undefined;
      throw error;
    }
  };
  return async (line) => {
    // A quarter of all lines has no words (rails 21 %, caddy 31 %): each would be an error with its stack.
    if (!WORD.test(line)) return NOTHING_ALIKE;
    queryVector ??= embed(query);
    const [first, second] = [await queryVector, await embed(line)];
    return first === undefined || second === undefined ? NOTHING_ALIKE : dotProduct(first, second);
  };
}

const WORD = /[\p{L}\p{N}]/u;
const NOTHING_ALIKE = -1;

/** A hit before its best line and its further places are chosen, with the lines of its chunk. */
export interface ReadHit {
  readonly ranked: RankedHit;
  readonly hit: AnalyzedHit;
  readonly lines: readonly string[];
}

/** Builds a hit: the chunk with its best line, and the surrounding lines if the request asks for them. */
export async function toHit(
  ranked: RankedHit,
  shown: Showing,
  request: SearchRequest,
): Promise<AnalyzedHit> {
  return withBestLine(await readHit(ranked, shown, request), shown);
}

/** Reads what `withBestLine` and the answer need of the hit's file. */
export async function readHit(
  ranked: RankedHit,
  { query, readLines }: Showing,
  request: SearchRequest,
): Promise<ReadHit> {
  const { root, facts } = ranked;
  const hit = withoutPlaces(ranked, query, request);
  const [own, lines] = await Promise.all([
    readLines(root, facts.path, facts.lines),
    request.includeText ? readLines(root, facts.path, hit.contextRange) : undefined,
  ]);
  const text = lines === undefined ? {} : { text: asText(lines) };
  const range = withinFile(hit.contextRange, lines);
  return { ranked, hit: { ...hit, contextRange: range, ...text }, lines: own ?? [] };
}

export async function withBestLine(read: ReadHit, shown: Showing): Promise<AnalyzedHit> {
  const { ranked, hit, lines } = read;
  const placed = (named: AnalyzedHit) => withPlaces(named, ranked, shown.query);
  const bestLine = await bestLineOf(ranked, hit.symbol, lines, shown);
  if (bestLine === undefined) return placed(hit);
  const found = { ...hit, bestLine, ...(await shownAround(bestLine.line, read, shown)) };
  const { symbols = [], symbol = symbols[0] } = hit;
  if (hit.symbol === undefined) {
    const enclosing = innermost(symbols.filter(beginsBefore(ranked.facts.lines)), bestLine.line);
    if (enclosing !== undefined) return { ...placed(found), symbol: enclosing };
  }
  // A hit is named after the definition on its best line, else after the enclosing definition.
  const around = symbol !== undefined && isIn(symbol, bestLine.line) ? undefined : symbols;
  const defined =
    symbols.find(({ nameLine }) => nameLine === bestLine.line) ?? innermost(around, bestLine.line);
  const isNamed = defined === undefined || symbol?.nameLine === bestLine.line;
  return placed(isNamed ? found : { ...found, symbol: defined });
}

/** The context range and its text, if the best line is outside the range that was read. */
async function shownAround(
  line: number,
  { ranked: { root, facts }, hit }: ReadHit,
  { readLines }: Showing,
): Promise<Partial<Pick<AnalyzedHit, "contextRange" | "text">>> {
  const range = rangeWithLine(hit.contextRange, line, facts);
  if (range === hit.contextRange) return {};
  if (hit.text === undefined) return { contextRange: range };
  const lines = await readLines(root, facts.path, range);
  if (lines === undefined) return {};
  return { contextRange: withinFile(range, lines), text: asText(lines) };
}

/** Whether a definition begins in an earlier chunk of the file. */
const beginsBefore =
  ({ start }: Lines) =>
  ({ nameLine }: CodeSymbol) =>
    nameLine < start;

const isIn = ({ lines }: CodeSymbol, line: number) => lines.start <= line && line <= lines.end;

/** The innermost definition around this line. */
function innermost(symbols: readonly CodeSymbol[] = [], line: number): CodeSymbol | undefined {
  const lengthOf = ({ lines }: CodeSymbol) => lines.end - lines.start;
  return symbols
    .filter((symbol) => isIn(symbol, line))
    .toSorted((a, b) => lengthOf(a) - lengthOf(b))[0];
}

/** Builds a hit from the indexed facts of its chunk, without reading the file. */
export function toPlace(ranked: RankedHit, query: Query, request: SearchRequest): AnalyzedHit {
  return withPlaces(withoutPlaces(ranked, query, request), ranked, query);
}

function withoutPlaces(ranked: RankedHit, query: Query, request: SearchRequest): AnalyzedHit {
  const { index, root, facts, evidence, score, ranks, reasons } = ranked;
  const symbol = shownSymbol(ranked, query);
  return {
    index,
    root,
    path: facts.path,
    lines: facts.lines,
    contextRange: contextRange(facts, request),
    score,
    relevance: relevanceOf(ranked),
    matchType: matchTypeOf(evidence),
    languageId: facts.languageId,
    ...(symbol === undefined ? {} : { symbol }),
    ...(ranked.symbols.length === 0 ? {} : { symbols: ranked.symbols }),
    ...(ranked.otherSymbols.length === 0 ? {} : { otherSymbols: ranked.otherSymbols }),
    ...(facts.blockType === undefined ? {} : { blockType: facts.blockType }),
    ...(facts.hierarchy === undefined ? {} : { hierarchy: facts.hierarchy }),
    ...(request.explain ? { why: reasons } : {}),
    ranks,
    evidence: ranked.features ?? {},
  };
}

/** Adds the further places, which depend on the name of the hit. */
function withPlaces(hit: AnalyzedHit, ranked: RankedHit, query: Query): AnalyzedHit {
  if (ranked.places.length === 0) return hit;
  const places = toFurtherPlaces(ranked.places, hit, (facts) => symbolOf(facts, query));
  return places.length === 0 ? hit : { ...hit, places };
}

/** The line with the most query words; without any, the line of the definition, else the line with the highest cosine. */
async function bestLineOf(
  { facts, index, root, literal, begun }: RankedHit,
  symbol: CodeSymbol | undefined,
  lines: readonly string[],
  { lines: lineQuery, likenessIn }: Showing,
): Promise<BestLine | undefined> {
  const choice = chooseLine(lines, { facts, symbol, literal, begun }, lineQuery);
  if (choice === undefined) return undefined;
  const { best, isMatched } = choice;
  const isDefinition = facts.symbols.some(({ nameLine }) => nameLine === best.line);
  const isOnly = lines.length === 1;
  const likeness = isMatched || isDefinition || isOnly ? undefined : likenessIn(index, root);
  if (likeness === undefined) return best;
  const likenesses = await Promise.all(lines.map(likeness));
  const at = likenesses.indexOf(Math.max(...likenesses));
  const text = lines[at] ?? "";
  return displayedLine(facts.lines.start + at, text, text.length - text.trimStart().length, []);
}

/** Builds a hit for one definition of the chunk; its best line is the line of the name. */
export async function toSymbolHit(
  ranked: RankedHit,
  symbol: CodeSymbol,
  shown: Showing,
): Promise<Hit> {
  const { nameLine: line, lines } = symbol;
  const facts = { ...ranked.facts, symbols: [symbol], lines: { start: line, end: line } };
  const hit = await toHit(
    { ...ranked, facts, symbols: [symbol], otherSymbols: [], places: [] },
    shown,
    {
      query: shown.query.text,
    },
  );
  return { ...withoutRanks(hit), lines, contextRange: contextRange({ lines, context: lines }, {}) };
}

/** Strips the fields that only `analyze` returns. */
export function withoutRanks({ ranks: _ranks, evidence: _evidence, ...hit }: AnalyzedHit): Hit {
  return hit;
}

function shownSymbol({ symbols, facts, begun }: RankedHit, query: Query): CodeSymbol | undefined {
  if (begun !== undefined) return begun;
  return query.report === undefined ? symbolOf(facts, query) : symbols[0];
}

/**
 * The definition that best matches a name in the query, else the definition that shares most words with it, else the first
 * block: the imports of a module are not named after its logger.
 */
export function symbolOf({ symbols }: ChunkFacts, query: Query): CodeSymbol | undefined {
  const named = query.identifiers
    .map((identifier) => bestSymbol(symbols, toKnownName(identifier)))
    .filter((each) => each !== undefined)
    .toSorted((a, b) => b.grade - a.grade);
  return named[0]?.symbol ?? nearest(symbols, query);
}

/** The terms of each query, which is compared with the definitions of all hits and of their further places. */
const knownTerms = new WeakMap<readonly string[], ReadonlySet<string>>();

/** A cache for names that recur across searches; about 2 MB when full. */
const termsOfName = memoizeRetained((name) => termsOf(toKnownName(name).parts), 10_000);

/** The definition that shares most words with the query; the first wins a tie. A variable has to share one. */
function nearest(symbols: readonly CodeSymbol[], { words }: Query): CodeSymbol | undefined {
  let best = symbols.find(({ type }) => type !== "variable");
  if (best !== undefined && symbols.length === 1) return best;
  const wanted = getOrCreate(knownTerms, words, () => new Set(termsOf(words)));
  let most = 0;
  for (const symbol of symbols) {
    const shared = termsOfName(symbol.name).filter((term) => wanted.has(term)).length;
    if (shared <= most) continue;
    best = symbol;
    most = shared;
  }
  return best;
}

/** Clamps a range to the file: an explicit context may exceed its last line. */
function withinFile(range: Lines, lines: readonly string[] | undefined): Lines {
  if (lines === undefined || lines.length === 0) return range;
  return { start: range.start, end: Math.min(range.end, range.start + lines.length - 1) };
}
