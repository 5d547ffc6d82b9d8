/** The read path, top to bottom: query -> terms -> thesaurus -> cache -> rewrite -> lanes -> fuse -> boost -> merge -> rerank -> expand -> best lines. Start reading here. */

import { messageOf, Unavailable } from "../common/errors.ts";
import { inBatches } from "../common/slices.ts";
import { ABSENT_TERM, type Filter } from "../contracts/lanes.ts";
import { MAX_RANKED } from "../contracts/request-fields.ts";
import type {
  Analysis,
  AnalyzedHit,
  SearchAnswer,
  SearchRequest,
  Stage,
} from "../contracts/session.ts";
import { begunNameOf } from "./begun-names.ts";
import type { CacheKey } from "./cache.ts";
import type { OpenLanes, SearchableIndex, SearchContext } from "./context.ts";
import type { LaneRequest, SearchTrace } from "./lanes/ask-lanes.ts";
import { correctName } from "./query/correct-name.ts";
import { embedQuery } from "./query/embed-query.ts";
import { toFilter } from "./query/filter.ts";
import { parseQuery, type Query } from "./query/query.ts";
import { isRewritable, rewriteQuery } from "./query/rewrite-query.ts";
import { stem, termsOf } from "./query/stem.ts";
import { STOP_WORDS } from "./query/stop-words.ts";
import { readTerms, remarkOnTerms, splitTerms, withTerms } from "./query/terms.ts";
import { rankAll } from "./rank-united.ts";
import type { RankedHit, Ranking } from "./ranking.ts";
import { Recorder } from "./recorder.ts";
import { remarkOnFilter, remarksOnQuery } from "./remarks.ts";
import { describeParts } from "./report/report.ts";
import { wordsToTry } from "./results/also-try.ts";
import {
  HITS_AT_ONCE,
  readHit,
  showingOf,
  toPlace,
  withBestLine,
  withoutRanks,
} from "./results/answer.ts";
import { withoutListed } from "./results/further-places.ts";
import { mergeLists } from "./results/merge.ts";
import { rerank } from "./results/rerank.ts";
import { loadThesaurus, relatedWords } from "./thesaurus/thesaurus.ts";

/** An answer without the progress of the index, which the session adds. */
export type SearchParts = Omit<SearchAnswer, "state" | "indexed" | "total">;
export type AnalysisParts = Omit<Analysis, "state" | "indexed" | "total">;

/** A ranking with the indexes that it is for. Texts are not read yet. */
export interface SearchResult extends Ranking {
  readonly open: readonly OpenLanes[];
  readonly cache: SearchAnswer["cache"];
  readonly warnings: readonly string[];
}

/** Rejects with BadRequest if a parameter has an unknown value; an index or lane that fails adds a warning. */
export async function search(
  context: SearchContext,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchParts> {
  const recorder = new Recorder({ isRecording: false, signal });
  const result = await rankAcrossIndexes(context, request, recorder, signal);
  const hits = await show(context, request, result, recorder);
  const { mode, cache, warnings, more } = result;
  return {
    hits: hits.map(withoutRanks),
    ...alsoTry(request, result),
    ...(more === undefined ? {} : { more }),
    ...(canImprove(context, request, result) ? { canImprove: true } : {}),
    mode,
    cache,
    warnings,
  };
}

/** For a client that asked while its user types: whether the same request is worthwhile with the models. */
function canImprove(
  { reranker, rewriter }: SearchContext,
  { rerank: isReranked = true, typing: isTyping = false }: SearchRequest,
  { hits, query }: Ranking,
): boolean {
  // An empty list is asked for again while files are indexed, and must not wait then either.
  if (!isTyping || hits.length === 0) return false;
  const canRerank = isReranked && reranker?.isAvailable === true && hits.length > 1;
  return canRerank || (rewriter?.isAvailable === true && isRewritable(query));
}

/** Like `search`, without best lines, for callers that read the files themselves. */
export async function searchPlaces(
  context: SearchContext,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<Pick<SearchParts, "hits" | "warnings">> {
  const recorder = new Recorder({ isRecording: false, signal });
  const {
    hits: ranked,
    query,
    warnings,
  } = await rankAcrossIndexes(context, request, recorder, signal);
  const hits = ranked.map((each) => toPlace(each, query, request));
  return { hits: hits.map(withoutRanks), warnings };
}

/** A file by the root of its index. */
export interface RankedFile {
  readonly root: string;
  readonly path: string;
}

/** The files of the best chunks for a query, best first; `only` in the indexes of the context chooses among the files. */
export async function rankFiles(
  context: SearchContext,
  query: string,
  signal?: AbortSignal,
): Promise<{ readonly files: readonly RankedFile[]; readonly warnings: readonly string[] }> {
  const recorder = new Recorder({ isRecording: false, signal });
  const request = { query, limit: MAX_RANKED, minScore: 0 };
  const { hits, warnings } = await rankAcrossIndexes(context, request, recorder, signal);
  const files = new Map(
    hits.map(({ root, facts }) => [`${root}/${facts.path}`, { root, path: facts.path }]),
  );
  return { files: [...files.values()], warnings };
}

/** The same search with a record of each stage. Cached answers have no stages, so an analysis bypasses the cache. */
export async function analyze(
  context: SearchContext,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<AnalysisParts> {
  const recorder = new Recorder({ isRecording: true, signal });
  const explained = { ...request, explain: true };
  const result = await rankAcrossIndexes(context, explained, recorder, signal);
  const hits = await show(context, explained, result, recorder);
  const { mode, cache, warnings } = result;
  return { query: request.query, hits, mode, cache, warnings, stages: recorder.stages };
}

/** All stages up to the list of ranked chunks. */
export async function rankAcrossIndexes(
  given: SearchContext,
  request: SearchRequest,
  recorder: Recorder,
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  signal?.throwIfAborted();
  const context = { ...given, ...modelsLeftOut(request) };
  const trace: SearchTrace = { recorder, warnings: [], log: context.log };
  const parsed = await readQuery(context, request, trace);
  const since = parsed.filters.changedSince;
  const open = await openIndexes(context.indexes, since, trace, signal);
  const remarks = remarksOnQuery(parsed, context.languageIds);
  const { query: corrected, correction } = await correctQuery(parsed, open, recorder);
  const { query: expected, remarks: unknown } = addTerms(corrected, request, open, context);
  const query = await relateWords(expected, request, open, recorder);
  const filter = toFilter({ ...request, paths: [] }, query.filters, context);

  const result = async (ranking: Ranking, cache: SearchResult["cache"]): Promise<SearchResult> => {
    const remark =
      ranking.hits.length === 0 ? await remarkOnFilter(filter, open, since) : undefined;
    const warnings = [...trace.warnings, ...remarks, correction, ...unknown, remark];
    return {
      ...ranking,
      open,
      cache,
      warnings: warnings.filter((warning) => warning !== undefined),
    };
  };

  const key = keyOf(context, request, query, open);
  const cached = await lookUp(context, key, recorder);
  // A cached answer depends neither on the state of git nor on a choice of files.
  const isOfAll = since === undefined && open.every(({ only }) => only === undefined);
  if (!recorder.isRecording && isOfAll && cached !== undefined)
    return await result(cached, "exact");

  const asked = await addRewriting(context, query, open, trace, signal);
  const laneRequest = await toLaneRequest(context, request, asked, filter, open, trace, signal);
  const lists = await rankAll(open, laneRequest, trace, signal);
  signal?.throwIfAborted();
  const merged = mergeLists(lists, laneRequest.counted);
  const { reranker, readLines } = context;
  const reranked =
    reranker === undefined
      ? merged
      : await rerank(merged, asked, { reranker, readLines }, trace, signal);
  const ranking = await assemble(context, request, laneRequest, reranked, recorder);
  // A degraded ranking is not cached: the next one may be better.
  const isComplete = trace.warnings.length === 0 && trace.isIncomplete !== true;
  if (isComplete && isOfAll) context.cache.put(key, ranking);
  return await result(ranking, "miss");
}

function modelsLeftOut({ rerank: isReranked, typing }: SearchRequest): Partial<SearchContext> {
  if (typing === true) return { reranker: undefined, rewriter: undefined };
  return isReranked === false ? { reranker: undefined } : {};
}

/** Parses the query and merges its filters with the filters of the request. */
async function readQuery(
  context: SearchContext,
  request: SearchRequest,
  { recorder, warnings }: SearchTrace,
): Promise<Query> {
  const stage = await recorder.start("query");
  const parsed = parseQuery(request.query, context.resolveLanguage);
  warnings.push(...parsed.warnings);
  // A filter means the same in the query text and in a parameter.
  const paths = [...(request.paths ?? []), ...parsed.filters.paths];
  const since = request.changedSince ?? parsed.filters.changedSince;
  const changedSince = since === undefined ? {} : { changedSince: since };
  const query = { ...parsed, filters: { ...parsed.filters, paths, ...changedSince } };
  stage.end(() => ({ notes: notesOnQuery(query) }));
  return query;
}

function notesOnQuery({
  kind,
  words,
  identifiers,
  paths,
  report,
}: Query): NonNullable<Stage["notes"]> {
  if (report === undefined) return { kind, words, identifiers, paths };
  return {
    kind,
    parts: describeParts(report),
    names: report.names.map(({ name, weight }) => `${name} ${weight.toFixed(2)}`),
    places: report.places.map(({ path, line }) => `${path}:${(line ?? 0) + 1}`),
  };
}

/** Typo tolerance: replaces a misspelled name by the indexed name nearest to it, and says so. */
async function correctQuery(
  query: Query,
  open: readonly OpenLanes[],
  recorder: Recorder,
): Promise<{ readonly query: Query; readonly correction?: string }> {
  const stage = await recorder.start("correct");
  const lanes = open.map((each) => each.lanes);
  const corrected = await correctName(query, lanes, recorder.pause);
  if (corrected === undefined) {
    stage.end(() => ({}));
    return { query };
  }
  const { from, to } = corrected;
  stage.end(() => ({ notes: { from, to } }));
  return { query: corrected.query, correction: `"${from}" is nowhere; searched for "${to}"` };
}

/** Adds the terms of the request that the indexes contain; names the others in remarks. */
function addTerms(
  query: Query,
  { terms }: SearchRequest,
  open: readonly OpenLanes[],
  { resolveLanguage }: SearchContext,
): { readonly query: Query; readonly remarks: readonly string[] } {
  if (terms === undefined) return { query, remarks: [] };
  const read = readTerms(terms);
  const { known, unknown } = splitTerms(read.terms, (term) => isIndexed(term, open));
  return {
    query: withTerms(query, known, resolveLanguage),
    remarks: [...read.remarks, ...remarkOnTerms(unknown)],
  };
}

function isIndexed(term: string, open: readonly OpenLanes[]): boolean {
  return open.some(({ lanes }) => lanes.rarityOf(term) < lanes.rarityOf(ABSENT_TERM));
}

function alsoTry(
  { terms }: SearchRequest,
  { hits, query, open }: SearchResult,
): Pick<SearchAnswer, "alsoTry"> {
  if (terms === undefined) return {};
  const rarityOf = (term: string) => Math.max(...open.map(({ lanes }) => lanes.rarityOf(term)));
  return { alsoTry: wordsToTry(hits, query, rarityOf) };
}

/** Adds the words that code may use for the words of a question. */
async function relateWords(
  query: Query,
  { without }: SearchRequest,
  open: readonly OpenLanes[],
  recorder: Recorder,
): Promise<Query> {
  if (query.kind !== "sentence" || without?.includes("thesaurus")) return query;
  const stage = await recorder.start("thesaurus");
  const thesaurus = await loadThesaurus();
  const related = relatedWords(thesaurus, query.text, (term) => isIndexed(term, open));
  stage.end(() => ({ count: related.length, notes: { related } }));
  return { ...query, related };
}

async function lookUp(
  { cache }: SearchContext,
  key: CacheKey,
  recorder: Recorder,
): Promise<Ranking | undefined> {
  const stage = await recorder.start("cache");
  const cached = cache.exact(key);
  stage.end(() => ({ notes: { known: cached !== undefined } }));
  return cached;
}

/** Skips an index that cannot be opened, with a warning; rejects if none can be opened. */
async function openIndexes(
  indexes: readonly SearchableIndex[],
  since: string | undefined,
  trace: SearchTrace,
  signal: AbortSignal | undefined,
): Promise<OpenLanes[]> {
  const results = await Promise.allSettled(
    indexes.map(async (index): Promise<OpenLanes> => {
      if (since === undefined) return { index, lanes: await index.lanes(), only: index.only };
      if (index.changedSince === undefined) {
        throw new Unavailable("what changed is not known", "open its folder");
      }
      const only = await index.changedSince(since, signal);
      return { index, lanes: await index.lanes(), only };
    }),
  );
  signal?.throwIfAborted();
  const open = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  results.forEach((result, i) => {
    if (result.status === "fulfilled") return;
    if (open.length === 0) throw result.reason;
    const reason = messageOf(result.reason);
    trace.log.warn("an index was left out of a search", { index: indexes[i]?.name, reason });
    trace.warnings.push(`index ${indexes[i]?.name} was left out: ${reason}`);
  });
  return open;
}

/** Adds the words of the rewriting model that the indexes contain, as terms. */
async function addRewriting(
  { rewriter, resolveLanguage }: SearchContext,
  query: Query,
  open: readonly OpenLanes[],
  trace: SearchTrace,
  signal: AbortSignal | undefined,
): Promise<Query> {
  if (rewriter === undefined) return query;
  const words = await rewriteQuery(query, rewriter, trace, signal);
  const own = new Set(termsOf(query.words));
  const isNew = (word: string) => !STOP_WORDS.has(word) && !own.has(stem(word));
  const others = words.filter((word) => isNew(word.toLowerCase()));
  const { known } = splitTerms(others, (term) => isIndexed(term, open));
  return withTerms(query, known, resolveLanguage);
}

/** The query as each index gets it, with its vectors. */
async function toLaneRequest(
  context: SearchContext,
  request: SearchRequest,
  query: Query,
  filter: Filter | undefined,
  open: readonly OpenLanes[],
  trace: SearchTrace,
  signal: AbortSignal | undefined,
): Promise<LaneRequest> {
  const without = new Set(request.without);
  if (request.hybrid === false) without.add("keyword").add("symbol");
  const isEmbedded = !without.has("vector") && query.kind !== "empty" && query.text !== "";
  const indexes = open.map(({ index }) => index);
  const vectors = isEmbedded ? await embedQuery(textsOf(query), indexes, trace, signal) : new Map();
  const { readLines, defaultLimit } = context;
  const limit = request.limit ?? defaultLimit;
  const { offset = 0 } = request;
  const keep = Math.max(offset + limit, context.reranker?.candidates ?? 0, context.keep ?? 0);
  const counted = request.offset === undefined ? keep : Math.max(keep, MAX_RANKED);
  const isHybrid = request.hybrid === true;
  const begun = begunNameOf(query, open);
  return { query, filter, without, vectors, readLines, begun, limit, keep, counted, isHybrid };
}

function textsOf({ text, terms, report }: Query): readonly { text: string; weight: number }[] {
  if (report !== undefined && report.texts.length > 0) return report.texts;
  return [{ text: [text, ...terms].join(" "), weight: 1 }];
}

/** Applies the offset, the limit and the minimum score. */
async function assemble(
  context: SearchContext,
  request: SearchRequest,
  { query, without, vectors, limit }: LaneRequest,
  merged: readonly RankedHit[],
  recorder: Recorder,
): Promise<Ranking> {
  const stage = await recorder.start("assemble");
  const minScore = request.minScore ?? context.defaultMinScore;
  const isLikely = ({ score }: RankedHit) => score >= minScore;
  const { offset = 0 } = request;
  const isPage = request.offset !== undefined;
  const end = Math.min(
    offset + Math.max(limit, context.keep ?? 0),
    isPage ? MAX_RANKED : Number.POSITIVE_INFINITY,
  );
  const hits = withoutListed(merged.slice(offset, end).filter(isLikely));
  const behind = merged.slice(end, MAX_RANKED).filter(isLikely).length;
  const isByWord = !without.has("keyword") || !without.has("symbol");
  stage.end(() => ({ count: hits.length }));
  const mode = vectors.size === 0 ? "keyword" : isByWord ? "hybrid" : "semantic";
  return { query, hits, mode, ...(isPage ? { more: behind } : {}) };
}

/** Reads the text of each ranked chunk and chooses its best line. */
export async function show(
  context: SearchContext,
  request: SearchRequest,
  { hits: ranked, query, open }: Pick<SearchResult, "hits" | "query" | "open">,
  recorder: Recorder,
): Promise<AnalyzedHit[]> {
  const showing = showingOf(query, open, context.readLines);
  const { pause } = recorder;

  const expanding = await recorder.start("expand");
  const read = await inBatches(ranked, HITS_AT_ONCE, pause, (each) =>
    readHit(each, showing, request),
  );
  expanding.end(() => ({ count: read.length }));

  const choosing = await recorder.start("best lines");
  const hits = await inBatches(read, HITS_AT_ONCE, pause, (each) => withBestLine(each, showing));
  choosing.end(() => ({ count: hits.length }));
  return hits;
}

/** Everything that a ranking depends on. */
function keyOf(
  context: SearchContext,
  request: SearchRequest,
  query: Query,
  open: readonly OpenLanes[],
): CacheKey {
  const { limit, offset, minScore, languages, symbolTypes, symbolName, paths } = request;
  const { hybrid, without } = request;
  return {
    text: request.query,
    parameters: [
      [limit ?? context.defaultLimit, offset, minScore ?? context.defaultMinScore, hybrid],
      [languages, symbolTypes, symbolName, paths, without, query.filters, query.terms],
      [context.reranker?.id, context.reranker?.candidates, context.rewriter?.id, context.keep],
    ],
    indexes: open.map(({ index }) => [index.name, index.root, index.embedder?.modelId]),
    generations: open.map(({ lanes }) => lanes.generation),
  };
}
