/** Ranks one index: lanes -> fuse -> boost -> score. */

import type { ChunkFacts, Filter, Lanes } from "../contracts/lanes.ts";
import { BOOSTS, REPORT_BOOSTS } from "./boosts/boosts.ts";
import { homeStems } from "./boosts/definition.ts";
import type { SearchableIndex } from "./context.ts";
import { type Asked, askLanes, type Report } from "./lanes/ask-lanes.ts";
import { fuse, withLaneDetails } from "./lanes/fuse.ts";
import { toName } from "./lanes/symbol-names.ts";
import { findLiterals } from "./literal/find-literals.ts";
import { literalsOf } from "./literal/literals.ts";
import { type LiteralHits, placeLiterals } from "./literal/place-literals.ts";
import { isNamed, squash, stemOf } from "./paths.ts";
import { narrowed, symbolsPassing } from "./query/filter.ts";
import type { Query } from "./query/query.ts";
import {
  highest,
  type Question,
  type Ranked,
  type RankedHit,
  sortByScore,
  withRanks,
} from "./ranking.ts";
import { mayBeFrameOf } from "./report/match-frames.ts";
import { findNamed, type ReportFindings } from "./report/report-findings.ts";
import { featureReader, toFeatures } from "./results/evidence.ts";
import { definitionsOf, type HitSymbols, symbolsOfHits } from "./results/hit-symbols.ts";
import { fallingScores, isChance, probabilityOf, type ScoreMode } from "./results/score.ts";

/** An index whose lanes are open. */
export interface OpenIndex {
  readonly index: SearchableIndex;
  readonly lanes: Lanes;
  /** Only these files are searched; undefined for all. */
  readonly only?: ReadonlySet<string> | undefined;
}

/** The smallest repository of the benchmark has some more. */
const MIN_MEASURED_CHUNKS = 100;

export async function rank(
  { index, lanes, only }: OpenIndex,
  { filter: wanted, ...others }: Asked,
  report: Report,
  signal: AbortSignal | undefined,
): Promise<RankedHit[]> {
  const asked: Asked = { ...others, filter: narrowed(wanted, only) };
  const { query, filter, without } = asked;
  const findings = await findingsOf(asked, lanes, index.name, report);
  const answers = await askLanes(index, lanes, { ...asked, findings }, report, signal);
  const fused = await report.recorder.stage(
    "fusion",
    async () => {
      const chunks = answers.flatMap(({ candidates }) => candidates.map(({ chunk }) => chunk));
      const kind = asked.isHybrid ? "hybrid" : query.kind;
      const facts = await lanes.facts([...new Set(chunks)]);
      return noteRanks(fuse(answers, kind, facts), "fusion", report);
    },
    (hits) => ({ count: hits.length, notes: { index: index.name, ...agreement(hits) } }),
  );
  const question: Question = {
    query,
    filter,
    filesMatchingIdentifier: await filesMatchingIdentifiers(query, lanes),
    filesMatchingPath: await filesMatchingPaths(query, lanes),
    ...(findings === undefined ? {} : { findings }),
  };
  let hits: readonly Ranked[] = fused;
  const boosts = query.report === undefined ? BOOSTS : REPORT_BOOSTS;
  for (const boost of boosts.filter(({ name }) => !without.has(name))) {
    const before: readonly Ranked[] = boost.readsOrder ? sortByScore(hits) : hits;
    hits = await report.recorder.stage(
      boost.name,
      () => {
        return noteRanks(boost.apply(before, question), boost.name, report);
      },
      (after) => ({
        count: after.length,
        notes: { index: index.name, moved: movedIn(before, after, asked.limit) },
      }),
    );
  }
  const literal = await withLiterals(sortByScore(hits), question, { index, lanes }, asked, report);
  return await toRankedHits(literal, { index, lanes }, asked, report, findings);
}

/** The list with what contains the query word for word in its place. */
async function withLiterals(
  hits: readonly Ranked[],
  question: Question,
  { index, lanes }: OpenIndex,
  { query, filter, without, limit, readLines }: Asked,
  report: Report,
): Promise<LiteralHits> {
  const isAsked = !without.has("literal") && !without.has("keyword");
  const literals = literalsOf(query);
  if (!isAsked) return { hits, places: new Map() };
  return await report.recorder.stage(
    "literal",
    async () => {
      const { pause } = report.recorder;
      const found = await findLiterals(literals, {
        lanes,
        root: index.root,
        readLines,
        filter,
        hits,
        limit,
        pause,
      });
      const placed = placeLiterals(hits, found, question, lanes.size);
      return { ...placed, hits: noteRanks(sortByScore(placed.hits), "literal", report) };
    },
    ({ places }) => ({ count: places.size, notes: { index: index.name } }),
  );
}

/** Only where they are shown: to sort and copy every hit after every stage takes a fifth of the time of a search. */
function noteRanks(
  hits: readonly Ranked[],
  stage: string,
  { recorder }: Report,
): readonly Ranked[] {
  return recorder.isRecording ? withRanks(sortByScore(hits), stage) : hits;
}

const NO_SYMBOLS: HitSymbols = { symbols: [], otherSymbols: [] };

async function toRankedHits(
  { hits, places }: LiteralHits,
  { index, lanes }: OpenIndex,
  asked: Asked,
  { recorder }: Report,
  findings: ReportFindings | undefined,
): Promise<RankedHit[]> {
  const { query, filter, keep } = asked;
  const mode = scoreModeOf(index, asked);
  const readFeatures = featureReader(hits, query);
  const probabilities = hits.map(({ chunk }, at) =>
    Math.max(probabilityOf(readFeatures(at), mode), places.get(chunk)?.probability ?? 0),
  );
  const scores = fallingScores(probabilities, keep);
  const features = hits
    .slice(0, recorder.isRecording ? keep : 1)
    .map((_, at) => toFeatures(readFeatures(at)));
  const [first] = features;
  // What is pasted shares words with any code, and what is small has no rare words: neither was measured.
  const isMeasured = query.report === undefined && lanes.size >= MIN_MEASURED_CHUNKS;
  const isLiteral = hits[0] !== undefined && places.has(hits[0].chunk);
  const isByChance = isMeasured && !isLiteral && first !== undefined && isChance(first, mode);
  const best = highest(hits) || 1;
  const kept = hits.slice(0, keep).map((hit) => withSymbolsPassing(filter, hit));
  const definitions = await definitionsOf(kept, query, lanes);
  const symbols = symbolsOfHits(kept, query, definitions, findings?.mentions);
  return kept.map((hit, i) => ({
    ...withLaneDetails(hit),
    ...passing(filter, symbols[i] ?? NO_SYMBOLS),
    index: index.name,
    root: index.root,
    literal: places.get(hit.chunk)?.match,
    share: hit.score / best,
    ...(recorder.isRecording ? { features: features[i] } : {}),
    probability: probabilities[i] ?? 0,
    isChance: isByChance,
    score: scores[i] ?? 0,
  }));
}

/** Who asks for classes is shown a class, whatever else the chunk defines. */
function withSymbolsPassing(filter: Filter | undefined, hit: Ranked): Ranked {
  const symbols = symbolsPassing(filter, hit.facts.symbols);
  return symbols === hit.facts.symbols ? hit : { ...hit, facts: { ...hit.facts, symbols } };
}

function passing(filter: Filter | undefined, { symbols, otherSymbols }: HitSymbols): HitSymbols {
  return {
    symbols: symbolsPassing(filter, symbols),
    otherSymbols: symbolsPassing(filter, otherSymbols),
  };
}

/** Cosines of another model than the built-in one are on a scale of their own: there the words alone decide. */
function scoreModeOf({ embedder }: SearchableIndex, { without, vectors }: Asked): ScoreMode {
  if (without.has("keyword") && without.has("symbol")) return "semantic";
  const hasVectors = embedder !== undefined && vectors.has(embedder.modelId);
  return hasVectors && embedder.minCosine !== undefined ? "hybrid" : "keyword";
}

async function findingsOf(
  { query, filter }: Asked,
  lanes: Lanes,
  index: string,
  { recorder }: Report,
): Promise<ReportFindings | undefined> {
  const bugReport = query.report;
  if (bugReport === undefined) return undefined;
  return await recorder.stage(
    "names",
    () => findNamed(bugReport, filter, lanes),
    ({ mentions, namedFiles }) => ({
      count: mentions.size,
      notes: { index, files: [...namedFiles.keys()].slice(0, 20) },
    }),
  );
}

/** The chunks of files that are named like what is asked for. */
async function filesMatchingIdentifiers(
  { identifiers }: Query,
  lanes: Lanes,
): Promise<Question["filesMatchingIdentifier"]> {
  return await factsOf(filesNamed(identifiers.map(toName).flatMap(homeStems), lanes), lanes);
}

/** The chunks of the files whose path or frame is in the query. */
async function filesMatchingPaths(
  { paths, frames }: Query,
  lanes: Lanes,
): Promise<Question["filesMatchingPath"]> {
  const stems = paths.map((path) => squash(stemOf(path)));
  const matches = (file: string) =>
    paths.some((path) => isNamed(file, path)) || frames.some((frame) => mayBeFrameOf(file, frame));
  return await factsOf(filesNamed(stems, lanes).filter(matches), lanes);
}

function filesNamed(stems: readonly string[], lanes: Lanes): string[] {
  return [...new Set(stems)].flatMap((stem) => lanes.pathsByStem(stem));
}

async function factsOf(
  paths: readonly string[],
  lanes: Lanes,
): Promise<ReadonlyMap<number, ChunkFacts>> {
  return await lanes.facts(await lanes.chunksOf(paths));
}

/** How many chunks the lanes share, and how many only one of them brought. */
function agreement(hits: readonly Ranked[]): Record<string, number> {
  const lanesOf = hits.map(({ evidence }) => Object.keys(evidence));
  const only = (lane: string) =>
    lanesOf.filter((lanes) => lanes.length === 1 && lanes[0] === lane).length;
  return {
    several: lanesOf.filter((lanes) => lanes.length > 1).length,
    vectorOnly: only("vector"),
    keywordOnly: only("keyword"),
    symbolOnly: only("symbol"),
  };
}

/** Of the first `limit` places, those that another chunk has now. */
function movedIn(before: readonly Ranked[], after: readonly Ranked[], limit: number): number {
  return after.slice(0, limit).filter(({ chunk }, i) => before[i]?.chunk !== chunk).length;
}
