/** Answers workspace/symbol: the hits of a search, then the other definitions in their chunks that match the query. */

import { inBatches } from "../common/slices.ts";
import type { CodeSymbol, Hit, Relevance } from "../contracts/model.ts";
import type { SearchRequest } from "../contracts/search-request.ts";
import { BEGUN_NAMES } from "./begun-names.ts";
import type { OpenLanes, SearchableIndex, SearchContext } from "./context.ts";
import { gradeName, type Name, toKnownName, toName } from "./lanes/symbol-names.ts";
import { EXACT_NAME, findNames, type NamedDefinition } from "./names.ts";
import { toFilter } from "./query/filter.ts";
import { parseQuery, type Query } from "./query/query.ts";
import type { RankedHit } from "./ranking.ts";
import { Recorder } from "./recorder.ts";
import { HITS_AT_ONCE, showingOf, toSymbolHit, withoutRanks } from "./results/answer.ts";
import { relevanceOf } from "./results/score.ts";
import { rankAcrossIndexes, show } from "./search.ts";

/**
 * The number of hits scanned for names that begin with the typed letters: the length of a lane's answer. The later chunks of
 * a large file rank low, regardless of their definitions.
 */
const MAX_LOOKED_THROUGH = 150;

/** The same order as everywhere else. */
export async function searchSymbols(
  context: SearchContext,
  text: string,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly Hit[]> {
  const query = parseQuery(text, context.resolveLanguage);
  const { kind } = query;
  if (kind === "empty") return [];
  const search = quickSearch(context, kind, text, limit);
  const named = await searchNames(search, query, limit, signal);
  if (named.isEnough) return named.hits;
  const hasNames = named.hits.length > 0;
  const { quick, request } = kind === "symbol" && hasNames ? asFiller(search) : search;
  const recorder = new Recorder({ isRecording: false, signal });
  const whole = await rankAcrossIndexes(quick, request, recorder, signal);
  const room = hasNames ? Math.max(0, wantedNames(kind, limit) - named.hits.length) : limit;
  const worth = worthShowing(whole.hits, limit, hasNames);
  const further = worth.filter((hit) => !named.chunks.has(chunkKey(hit)));
  const found = { ...whole, hits: further.slice(0, room) };
  const hits = (await show(quick, request, found, recorder)).map(withoutRanks);
  const names = found.query.identifiers.map(toName);
  const shown = showingOf(found.query, found.open, context.readLines);
  const others = found.hits
    .flatMap((hit, i) => otherDefinitions(hit, hits[i]?.symbol, names))
    .slice(0, room - hits.length);
  const more = await inBatches(others, HITS_AT_ONCE, recorder.pause, ({ hit, symbol }) =>
    toSymbolHit(hit, symbol, shown),
  );
  const last = hits.at(-1)?.score ?? 0;
  const all = [...hits, ...more.map((hit) => ({ ...hit, score: Math.min(hit.score, last) }))];
  return joined(named.hits, all).slice(0, limit);
}

interface QuickSearch {
  readonly quick: SearchContext;
  readonly request: SearchRequest;
}

/** A search for a list that follows each keystroke: it waits for no model behind a network. */
function quickSearch(
  context: SearchContext,
  kind: Query["kind"],
  text: string,
  limit: number,
): QuickSearch {
  // A name is typed letter by letter, and each would cost a call to a model behind a network.
  const isRemote = context.indexes.some(({ embedder }) => embedder?.isLocal === false);
  const byWords = kind !== "sentence" && isRemote ? ["vector"] : [];
  const keep = kind === "word" || kind === "symbol" ? MAX_LOOKED_THROUGH : undefined;
  return {
    quick: { ...context, reranker: undefined, rewriter: undefined, keep },
    // The names come before the hits of this search.
    request: { query: text, limit, without: [BEGUN_NAMES, ...byWords] },
  };
}

/**
 * With fewer names a list is filled up to this number with hits that only contain the query, or mean it. Each costs reading its
 * file: with fifty of them a key stroke takes twice as long.
 */
const MIN_NAMES = { symbol: 10, other: 20 };

/**
 * A query that is spelled like a name, and a definition that it begins or abbreviates: text that only contains it names nothing. On
 * kafka a key stroke takes a third of the time without such text.
 */
const BEGUN_NAME = 0.3;

function wantedNames(kind: Query["kind"], limit: number): number {
  return Math.min(limit, kind === "symbol" ? MIN_NAMES.symbol : MIN_NAMES.other);
}

/** The search that fills a list of names: a part of a name, as `StandbyTaskCre`, means nothing, and its names are known. */
function asFiller({ quick, request }: QuickSearch): QuickSearch {
  return {
    quick: { ...quick, keep: undefined },
    request: { ...request, limit: MIN_NAMES.symbol, without: ["vector", "symbol"] },
  };
}

interface NamedHits {
  readonly hits: readonly Hit[];
  /** The keys of their chunks. */
  readonly chunks: ReadonlySet<string>;
  /** Whether the matches by name are enough, so that the full search is skipped. */
  readonly isEnough: boolean;
}

/** The definitions of a query that is one name, without its words and its meaning. */
async function searchNames(
  search: QuickSearch,
  query: Query,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<NamedHits> {
  const name = nameIn(query);
  if (name === undefined || query.filters.changedSince !== undefined)
    return { hits: [], chunks: new Set(), isEnough: false };
  const { quick: context } = search;
  const recorder = new Recorder({ isRecording: false, signal });
  const filter = toFilter({ query: query.text }, query.filters, context);
  const open = await openAll(context.indexes);
  signal?.throwIfAborted();
  const found = await findNames(open, toName(name), filter, limit, recorder);
  const shown = showingOf(query, open, context.readLines);
  const isSpelledOut = query.kind === "sentence";
  const exact = isSpelledOut ? found.filter(({ grade }) => grade >= EXACT_NAME) : found;
  const ordered = await sortNamesakes(exact, search, recorder, signal);
  const hits = await inBatches(ordered, HITS_AT_ONCE, recorder.pause, ({ hit, symbol }) =>
    toSymbolHit(hit, symbol, shown),
  );
  const best = found[0]?.grade ?? 0;
  const isMany =
    best >= (query.kind === "symbol" ? BEGUN_NAME : EXACT_NAME) ||
    found.length >= wantedNames(query.kind, limit);
  const chunks = new Set(ordered.map(({ hit }) => chunkKey(hit)));
  const isFull = hits.length >= limit;
  return { hits, chunks, isEnough: isFull || (isMany && !isSpelledOut) };
}

function chunkKey({ root, chunk }: Pick<RankedHit, "root" | "chunk">): string {
  return `${chunk} ${root}`;
}

/**
 * Sorts the first definitions of a list by the rank of their chunks in a search if their names match exactly and equally well: the
 * same class comes first in a picker and in a search. Only namesakes in different chunks cost a search.
 */
async function sortNamesakes(
  found: readonly NamedDefinition[],
  { quick: context, request }: QuickSearch,
  recorder: Recorder,
  signal: AbortSignal | undefined,
): Promise<readonly NamedDefinition[]> {
  const best = found[0]?.grade ?? 0;
  const namesakes = found.filter(({ grade }) => grade === best);
  const chunks = new Set(namesakes.map(({ hit }) => chunkKey(hit)));
  // Overloads are often in one chunk, which has one rank.
  if (best < EXACT_NAME || chunks.size < 2) return found;
  // For a long list, a search reads more chunks that contain the name: the namesakes get the order of a list of the usual length.
  const { limit = context.defaultLimit, ...usual } = request;
  const ranking = { ...context, keep: limit };
  const { hits } = await rankAcrossIndexes(ranking, usual, recorder, signal);
  const ranks = new Map(hits.map((hit, i) => [chunkKey(hit), i]));
  const rankOf = ({ hit }: NamedDefinition) => ranks.get(chunkKey(hit)) ?? hits.length;
  const sorted = namesakes.toSorted((a, b) => rankOf(a) - rankOf(b));
  return [...sorted, ...found.slice(namesakes.length)];
}

/** A few plain words may spell out a name: `series metadata service`. */
const SPELLED_OUT = /^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+){1,5}$/u;

function nameIn({ kind, identifiers, text }: Query): string | undefined {
  if (kind === "sentence" && SPELLED_OUT.test(text)) return text.replaceAll(" ", "_");
  const [name, ...others] = identifiers;
  const isName = kind === "word" || kind === "symbol";
  return isName && others.length === 0 ? name : undefined;
}

/** Opens the lanes, and skips indexes that fail to open: the search that follows reports them. */
async function openAll(indexes: readonly SearchableIndex[]): Promise<OpenLanes[]> {
  const lanes = await Promise.allSettled(indexes.map((index) => index.lanes()));
  return indexes.flatMap((index, i) => {
    const result = lanes[i];
    return result?.status === "fulfilled" ? [{ index, lanes: result.value }] : [];
  });
}

/** Appends the other hits to the matches by name: caps their scores at the lowest of those, and removes duplicates. */
function joined(named: readonly Hit[], others: readonly Hit[]): readonly Hit[] {
  if (named.length === 0) return others;
  const keyOf = ({ root, path, symbol, lines }: Hit) =>
    `${symbol?.nameLine ?? lines.start} ${root}/${path}`;
  const known = new Set(named.map(keyOf));
  const last = named.at(-1)?.score ?? 0;
  const further = others.filter((hit) => !known.has(keyOf(hit)));
  return [...named, ...further.map((hit) => ({ ...hit, score: Math.min(hit.score, last) }))];
}

/**
 * Filters hits for a symbol picker, which has no headings: drops chance hits, and weak hits if strong ones or matches by name
 * exist. Hits that match by name always stay; those beyond the limit replace weak hits that do not match by name.
 */
function worthShowing(
  ranked: readonly RankedHit[],
  limit: number,
  hasNames: boolean,
): readonly RankedHit[] {
  const isOf = (wanted: Relevance) => (hit: RankedHit) => relevanceOf(hit) === wanted;
  const isNamed = ({ evidence }: RankedHit) => evidence.symbol !== undefined;
  const isWeak = isOf("weak");
  const within = ranked.slice(0, limit);
  const wanted = hasNames || within.some(isOf("strong")) ? isOf("strong") : isWeak;
  const shown = within.filter((hit) => wanted(hit) || isNamed(hit));
  const further = ranked.slice(limit).filter(isNamed);
  for (let at = shown.length - 1; at > 0 && shown.length + further.length > limit; at--)
    if (!isNamed(shown[at] as RankedHit) && isWeak(shown[at] as RankedHit)) shown.splice(at, 1);
  return [...shown, ...further].slice(0, limit);
}

/** The definitions in a chunk that match one of the names, except the displayed definition of the hit; best first. */
function otherDefinitions(
  hit: RankedHit,
  shown: CodeSymbol | undefined,
  names: readonly Name[],
): { readonly hit: RankedHit; readonly symbol: CodeSymbol }[] {
  return hit.facts.symbols
    .filter(({ name, nameLine }) => name !== shown?.name || nameLine !== shown.nameLine)
    .map((symbol) => ({
      hit,
      symbol,
      grade: Math.max(0, ...names.map((name) => gradeName(name, toKnownName(symbol.name)))),
    }))
    .filter(({ grade }) => grade > 0)
    .toSorted((a, b) => b.grade - a.grade);
}
