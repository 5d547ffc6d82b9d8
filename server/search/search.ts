/** The read path, top to bottom: query -> cache -> rewrite -> lanes -> fuse -> boost -> merge -> rerank -> expand -> best lines. Start reading here. */

import { messageOf, Unavailable } from "../common/errors.ts";
import { inBatches } from "../common/slices.ts";
import type { Analysis, AnalyzedHit, SearchAnswer, SearchRequest } from "../contracts/session.ts";
import type { CacheKey } from "./cache.ts";
import type { SearchableIndex, SearchContext } from "./context.ts";
import type { Asked, Report } from "./lanes/ask-lanes.ts";
import { correctName } from "./query/correct-name.ts";
import { embedQuery } from "./query/embed-query.ts";
import { toFilter } from "./query/filter.ts";
import { parseQuery, type Query } from "./query/query.ts";
import { rewriteQuery } from "./query/rewrite-query.ts";
import { type OpenIndex, rank } from "./rank.ts";
import type { RankedHit, Ranking } from "./ranking.ts";
import { Recorder } from "./recorder.ts";
import { remarkOnFilter, remarksOnQuery } from "./remarks.ts";
import { describeParts } from "./report/report.ts";
import {
  HITS_AT_ONCE,
  readHit,
  showingOf,
  toPlace,
  withBestLine,
  withoutRanks,
} from "./results/answer.ts";
import { fuseRewritten, REWRITTEN_DEPTH } from "./results/fuse-rewritten.ts";
import { mergeLists } from "./results/merge.ts";
import { rerank } from "./results/rerank.ts";

/** An answer without the progress of the index, which the session adds. */
export type SearchParts = Omit<SearchAnswer, "state" | "indexed" | "total">;
export type AnalysisParts = Omit<Analysis, "state" | "indexed" | "total">;

/** What was found, before it is shown: a shared first part of every kind of answer. */
export interface Found extends Ranking {
  readonly query: Query;
  readonly open: readonly OpenIndex[];
  readonly cache: SearchAnswer["cache"];
  readonly warnings: readonly string[];
}

/** Rejects with BadRequest where parameters name nothing known; of indexes and lanes that fail, `warnings` tells. */
export async function search(
  context: SearchContext,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchParts> {
  const recorder = new Recorder({ isRecording: false, signal });
  const { mode, cache, warnings, ...found } = await find(context, request, recorder, signal);
  const hits = await show(context, request, found, recorder);
  return { hits: hits.map(withoutRanks), mode, cache, warnings };
}

/** The same hits without their best lines, for who reads the files. */
export async function searchPlaces(
  context: SearchContext,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<Pick<SearchParts, "hits" | "warnings">> {
  const recorder = new Recorder({ isRecording: false, signal });
  const { placed, query, warnings } = await find(context, request, recorder, signal);
  const hits = placed.map((each) => toPlace(each, query, request));
  return { hits: hits.map(withoutRanks), warnings };
}

/** The same search with everything that happened on the way. What the cache knows has no way, so it is noted and not used. */
export async function analyze(
  context: SearchContext,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<AnalysisParts> {
  const recorder = new Recorder({ isRecording: true, signal });
  const explained = { ...request, explain: true };
  const { mode, cache, warnings, ...found } = await find(
    context,
    explained,
    recorder,
    signal,
    false,
  );
  const hits = await show(context, explained, found, recorder);
  return { query: request.query, hits, mode, cache, warnings, stages: recorder.stages };
}

/** Everything up to the list of chunks. */
export async function find(
  context: SearchContext,
  request: SearchRequest,
  recorder: Recorder,
  signal: AbortSignal | undefined,
  useCache = true,
): Promise<Found> {
  signal?.throwIfAborted();
  const report: Report = { recorder, warnings: [], log: context.log, isAnalysis: !useCache };
  const { warnings } = report;
  const written = await readQuery(context, request, report);
  const since = written.filters.changedSince;
  const open = await openIndexes(context.indexes, since, report, signal);
  const { query, remarks } = await understand(context, written, open, report);
  const key = keyOf(context, request, query, open);

  const known = await recorder.stage(
    "cache",
    () => context.cache.exact(key),
    (answer) => ({ notes: { known: answer !== undefined } }),
  );
  const told = async (ranking: Ranking) => ({
    ...ranking,
    query,
    open,
    warnings: [
      ...warnings,
      ...remarks,
      ...(await remarksOnNothing(context, request, query, open, ranking)),
    ],
  });
  if (useCache && since === undefined && known !== undefined)
    return { ...(await told(known)), cache: "exact" };

  const asked = await ask(context, request, query, open, report, signal);

  const lists = await rankAll(context, request, asked, open, report, signal);
  signal?.throwIfAborted();
  const merged = mergeLists(lists, asked.keep);
  const { reranker, readLines } = context;
  const reranked =
    reranker === undefined
      ? merged
      : await rerank(merged, query, { reranker, readLines }, report, signal);
  const ranking = await recorder.stage(
    "assemble",
    () => assemble(context, request, asked, reranked),
    ({ placed }) => ({ count: placed.length }),
  );
  // What a failure made poorer is not kept: the next answer may be better. What has changed since is git's to say.
  const isWhole = warnings.length === 0 && report.isIncomplete !== true;
  if (isWhole && since === undefined) context.cache.put(key, ranking);
  return { ...(await told(ranking)), cache: "miss" };
}

/** The query as it was meant, with a sentence for each thing that it is not. */
async function understand(
  { languageIds }: SearchContext,
  written: Query,
  open: readonly OpenIndex[],
  { recorder }: Report,
): Promise<{ query: Query; remarks: string[] }> {
  const remarks = remarksOnQuery(written, languageIds);
  const lanes = open.map((each) => each.lanes);
  const corrected = await recorder.stage(
    "correct",
    () => correctName(written, lanes, recorder.pause),
    (found) => (found === undefined ? {} : { notes: { from: found.from, to: found.to } }),
  );
  if (corrected === undefined) return { query: written, remarks };
  const { query, from, to } = corrected;
  return { query, remarks: [...remarks, `"${from}" is nowhere; searched for "${to}"`] };
}

/** Why there may be nothing. */
async function remarksOnNothing(
  { resolveLanguage, languageIds }: SearchContext,
  request: SearchRequest,
  query: Query,
  open: readonly OpenIndex[],
  { placed }: Ranking,
): Promise<string[]> {
  if (placed.length > 0) return [];
  const filter = toFilter({ ...request, paths: [] }, query.filters, resolveLanguage, languageIds);
  return [await remarkOnFilter(filter, open, query.filters.changedSince)].filter(
    (remark) => remark !== undefined,
  );
}

function readQuery(context: SearchContext, request: SearchRequest, report: Report): Promise<Query> {
  return report.recorder.stage(
    "query",
    () => {
      const query = parseQuery(request.query, context.resolveLanguage);
      report.warnings.push(...query.warnings);
      // A filter means the same wherever it is written.
      const paths = [...(request.paths ?? []), ...query.filters.paths];
      const since = request.changedSince ?? query.filters.changedSince;
      const changedSince = since === undefined ? {} : { changedSince: since };
      return { ...query, filters: { ...query.filters, paths, ...changedSince } };
    },
    ({ kind, words, identifiers, paths, report: read }) => ({
      notes:
        read === undefined
          ? { kind, words, identifiers, paths }
          : {
              kind,
              parts: describeParts(read),
              names: read.names.map(({ name, weight }) => `${name} ${weight.toFixed(2)}`),
              places: read.places.map(({ path, line }) => `${path}:${(line ?? 0) + 1}`),
            },
    }),
  );
}

/** An index that cannot be opened is named and left out; only when none can be is that an error. */
async function openIndexes(
  indexes: readonly SearchableIndex[],
  since: string | undefined,
  report: Report,
  signal: AbortSignal | undefined,
): Promise<OpenIndex[]> {
  const results = await Promise.allSettled(
    indexes.map(async (index): Promise<OpenIndex> => {
      if (since === undefined) return { index, lanes: await index.lanes() };
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
    report.log.warn("an index was left out of a search", { index: indexes[i]?.name, reason });
    report.warnings.push(`index ${indexes[i]?.name} was left out: ${reason}`);
  });
  return open;
}

async function ask(
  context: SearchContext,
  request: SearchRequest,
  query: Query,
  open: readonly OpenIndex[],
  report: Report,
  signal: AbortSignal | undefined,
): Promise<Asked> {
  const filter = toFilter(
    { ...request, paths: [] },
    query.filters,
    context.resolveLanguage,
    context.languageIds,
  );
  const without = new Set(request.without);
  if (request.hybrid === false) without.add("keyword").add("symbol");
  const isEmbedded = !without.has("vector") && query.kind !== "empty" && query.text !== "";
  const indexes = open.map(({ index }) => index);
  const vectors = isEmbedded
    ? await embedQuery(textsOf(query), indexes, report, signal)
    : new Map();
  const { readLines, defaultLimit } = context;
  const limit = request.limit ?? defaultLimit;
  const deep = context.rewriter === undefined ? 0 : REWRITTEN_DEPTH;
  const keep = Math.max(limit, deep, context.reranker?.candidates ?? 0, context.keep ?? 0);
  const isHybrid = request.hybrid === true;
  return { query, filter, without, vectors, readLines, limit, keep, isHybrid };
}

/** The hits of each index; with a rewriter, those of the query and of its rewritten form, fused. */
async function rankAll(
  context: SearchContext,
  request: SearchRequest,
  asked: Asked,
  open: readonly OpenIndex[],
  report: Report,
  signal: AbortSignal | undefined,
): Promise<(readonly RankedHit[])[]> {
  const { rewriter, resolveLanguage } = context;
  const rankOf = (each: Asked, own: Report) =>
    Promise.all(open.map((index) => rank(index, each, own, signal)));
  const [lists, rewritten] = await Promise.all([
    rankOf(asked, report),
    rewriter && rewriteQuery(asked.query, rewriter, resolveLanguage, report, signal),
  ]);
  if (rewritten === undefined) return lists;
  // The stages that are shown are those of the query itself.
  const aside = { ...report, recorder: new Recorder({ isRecording: false, signal }) };
  const again = await ask(context, request, rewritten, open, aside, signal);
  const others = await rankOf(again, aside);
  return await report.recorder.stage(
    "fuse rewritten",
    () => fuseRewritten(lists, others, rewritten.text),
    (fused) => ({ count: fused.flat().length }),
  );
}

function textsOf({ text, report }: Query): readonly { text: string; weight: number }[] {
  return report === undefined || report.texts.length === 0 ? [{ text, weight: 1 }] : report.texts;
}

function assemble(
  context: SearchContext,
  request: SearchRequest,
  { without, vectors, limit }: Asked,
  merged: readonly RankedHit[],
): Ranking {
  const minScore = request.minScore ?? context.defaultMinScore;
  const placed = merged
    .slice(0, Math.max(limit, context.keep ?? 0))
    .filter(({ score }) => score >= minScore);
  const isByWord = !without.has("keyword") || !without.has("symbol");
  return { placed, mode: vectors.size === 0 ? "keyword" : isByWord ? "hybrid" : "semantic" };
}

/** Turns what was found into hits, each with its best line. */
export async function show(
  context: SearchContext,
  request: SearchRequest,
  { placed, query, open }: Pick<Found, "placed" | "query" | "open">,
  recorder: Recorder,
): Promise<AnalyzedHit[]> {
  const shown = showingOf(query, open, context.readLines);
  const read = await recorder.stage(
    "expand",
    () => inBatches(placed, HITS_AT_ONCE, recorder.pause, (each) => readHit(each, shown, request)),
    ({ length }) => ({ count: length }),
  );
  return await recorder.stage(
    "best lines",
    () => inBatches(read, HITS_AT_ONCE, recorder.pause, (each) => withBestLine(each, shown)),
    ({ length }) => ({ count: length }),
  );
}

function keyOf(
  context: SearchContext,
  request: SearchRequest,
  query: Query,
  open: readonly OpenIndex[],
): CacheKey {
  const { limit, minScore, languages, symbolTypes, symbolName, paths, hybrid, without } = request;
  return {
    text: request.query,
    parameters: [
      [limit ?? context.defaultLimit, minScore ?? context.defaultMinScore, hybrid],
      [languages, symbolTypes, symbolName, paths, without, query.filters],
      [context.reranker?.id, context.reranker?.candidates, context.rewriter?.id, context.keep],
    ],
    indexes: open.map(({ index }) => [index.name, index.root, index.embedder?.modelId]),
    generations: open.map(({ lanes }) => lanes.generation),
  };
}
