/** Ranks one index: lanes -> fuse -> boost -> score. */

import { baseNameOf } from "../common/relative-path.ts";
import type { ChunkFacts, Filter, Lanes } from "../contracts/lanes.ts";
import { BEGUN_NAMES, placeBegunNames } from "./begun-names.ts";
import { BOOSTS, REPORT_BOOSTS } from "./boosts/boosts.ts";
import { homeStems } from "./boosts/definition.ts";
import { readFileWords } from "./boosts/file-words.ts";
import { placeEvidence } from "./boosts/place-features.ts";
import { placeInFile } from "./boosts/place-in-file.ts";
import type { OpenLanes, SearchableIndex } from "./context.ts";
import { askLanes, type LaneRequest, type SearchTrace } from "./lanes/ask-lanes.ts";
import { fuse, type LaneAnswer, withLaneDetails } from "./lanes/fuse.ts";
import { toName } from "./lanes/symbol-names.ts";
import { findLiterals } from "./literal/find-literals.ts";
import { literalsOf } from "./literal/literals.ts";
import { type LiteralHits, leastProbability, placeLiterals } from "./literal/place-literals.ts";
import { findNames } from "./names.ts";
import { isNamed, squash, stemOf } from "./paths.ts";
import { narrowed, symbolsPassing } from "./query/filter.ts";
import type { Query } from "./query/query.ts";
import { stem, termsOf } from "./query/stem.ts";
import {
  type FileWords,
  highest,
  type Question,
  type Ranked,
  type RankedHit,
  recordRanks,
  sortByScore,
} from "./ranking.ts";
import type { Recorder } from "./recorder.ts";
import { mayBeFrameOf } from "./report/match-frames.ts";
import { findNamed, type ReportFindings } from "./report/report-findings.ts";
import { featureReader, toFeatures } from "./results/evidence.ts";
import { chunksBehind } from "./results/further-places.ts";
import { definitionsOf, type HitSymbols, symbolsOfHits } from "./results/hit-symbols.ts";
import { fallingScores, isChance, probabilityOf, type ScoreMode } from "./results/score.ts";

/** Smaller indexes have no rare words, which the test for chance needs; the smallest benchmark repository is larger. */
const MIN_MEASURED_CHUNKS = 100;

/** The best `counted` hits of one index, best first. Those behind `keep` lack their definitions. */
export async function rank(
  open: OpenLanes,
  wanted: LaneRequest,
  trace: SearchTrace,
  signal: AbortSignal | undefined,
): Promise<RankedHit[]> {
  const { index, lanes, only } = open;
  const request: LaneRequest = { ...wanted, filter: narrowed(wanted.filter, only) };
  const { query, filter } = request;
  const findings = await findingsOf(request, open, trace);
  const answers = await askLanes(index, lanes, { ...request, findings }, trace, signal);
  const fused = await fuseAnswers(answers, open, request, trace);
  const question: Question = {
    query,
    filter,
    filesMatchingIdentifier: await filesMatchingIdentifiers(query, lanes),
    filesMatchingPath: await filesMatchingPaths(query, lanes),
    fileWords: await fileWordsOf(fused, open, request, trace),
    ...raritiesOf(query, lanes),
    ...(findings === undefined ? {} : { findings }),
  };
  const boosted = await applyBoosts(fused, question, open, request, trace);
  const literal = await withLiterals(sortByScore(boosted), question, open, request, trace);
  const named = await withBegunNames(literal, open, request, trace);
  return await toRankedHits(named, open, request, trace, question);
}

async function fileWordsOf(
  fused: readonly Ranked[],
  { index, lanes }: OpenLanes,
  { query, filter, without }: LaneRequest,
  { recorder }: SearchTrace,
): Promise<FileWords> {
  if (without.has("file-words") || without.has("keyword")) return new Map();
  const stage = await recorder.start("read file words");
  const shares = await readFileWords(fused, query, filter, lanes, recorder.pause);
  stage.end(() => ({ count: shares.size, notes: { index: index.name } }));
  return shares;
}

function raritiesOf(
  { kind, words, related }: Query,
  lanes: Lanes,
): Pick<Question, "wordRarities" | "relatedRarities"> {
  const rarities = (stems: readonly string[]) =>
    new Map(kind === "sentence" ? stems.map((each) => [each, lanes.rarityOf(each)]) : []);
  return { wordRarities: rarities(termsOf(words)), relatedRarities: rarities(related.map(stem)) };
}

/** Reciprocal rank fusion of the lanes' candidates. */
async function fuseAnswers(
  answers: readonly LaneAnswer[],
  { index, lanes }: OpenLanes,
  { query, isHybrid }: LaneRequest,
  { recorder }: SearchTrace,
): Promise<readonly Ranked[]> {
  const stage = await recorder.start("fusion");
  const chunks = answers.flatMap(({ candidates }) => candidates.map(({ chunk }) => chunk));
  const kind = isHybrid ? "hybrid" : query.kind;
  const facts = await lanes.facts(chunks);
  const hits = noteRanks(fuse(answers, kind, facts), "fusion", recorder);
  stage.end(() => ({ count: hits.length, notes: { index: index.name, ...agreement(hits) } }));
  return hits;
}

async function applyBoosts(
  fused: readonly Ranked[],
  question: Question,
  { index }: OpenLanes,
  { query, without, limit }: LaneRequest,
  { recorder }: SearchTrace,
): Promise<readonly Ranked[]> {
  const boosts = query.report === undefined ? BOOSTS : REPORT_BOOSTS;
  let hits = fused;
  for (const boost of boosts.filter(({ name }) => !without.has(name))) {
    const before = boost.readsOrder ? sortByScore(hits) : hits;
    const stage = await recorder.start(boost.name);
    const after = noteRanks(boost.apply(before, question), boost.name, recorder);
    stage.end(() => ({
      count: after.length,
      notes: { index: index.name, moved: movedIn(before, after, limit) },
    }));
    hits = after;
  }
  return hits;
}

/** Adds the literal matches: chunks that contain the query word for word. */
async function withLiterals(
  hits: readonly Ranked[],
  question: Question,
  { index, lanes }: OpenLanes,
  { query, filter, without, limit, readLines }: LaneRequest,
  { recorder }: SearchTrace,
): Promise<LiteralHits> {
  if (without.has("literal") || without.has("keyword")) return { hits, places: new Map() };
  const literals = literalsOf(query);
  const { pause } = recorder;
  const stage = await recorder.start("literal");
  const where = { lanes, root: index.root, readLines, filter, hits, limit, pause };
  const found = await findLiterals(literals, where);
  const literal = placeLiterals(hits, found, question, lanes.size);
  const ranked = noteRanks(sortByScore(literal.hits), "literal", recorder);
  stage.end(() => ({ count: literal.places.size, notes: { index: index.name } }));
  return { ...literal, hits: ranked };
}

/** Puts the names first that the query begins or abbreviates, if no chunk contains the query. */
async function withBegunNames(
  literal: LiteralHits,
  open: OpenLanes,
  { begun, filter, without, counted }: LaneRequest,
  { recorder }: SearchTrace,
): Promise<LiteralHits> {
  const isLeftOut = without.has(BEGUN_NAMES) || without.has("symbol");
  if (begun === undefined || isLeftOut || literal.places.size > 0) return literal;
  const stage = await recorder.start(BEGUN_NAMES);
  const named = await findNames([open], begun, filter, counted, recorder);
  const { hits, places } = placeBegunNames(literal.hits, begun, named);
  const ranked = noteRanks(sortByScore(hits), BEGUN_NAMES, recorder);
  stage.end(() => ({ count: places.size, notes: { index: open.index.name } }));
  return { hits: ranked, places };
}

/** Records ranks in an analysis only: sorting and copying all hits after each stage takes a fifth of a search's time. */
function noteRanks(hits: readonly Ranked[], stage: string, recorder: Recorder): readonly Ranked[] {
  if (!recorder.isRecording) return hits;
  const sorted = sortByScore(hits);
  recordRanks(sorted, stage);
  return sorted;
}

const NO_SYMBOLS: HitSymbols = { symbols: [], otherSymbols: [] };

async function toRankedHits(
  { hits, places }: LiteralHits,
  { index, lanes }: OpenLanes,
  request: LaneRequest,
  { recorder }: SearchTrace,
  question: Question,
): Promise<RankedHit[]> {
  const { query, filter, keep, counted, without } = request;
  const mode = scoreModeOf(index, request);
  const readFeatures = featureReader(hits, query);
  const probabilities = new Float64Array(hits.length);
  for (let at = 0; at < hits.length; at++) {
    const own = probabilityOf(readFeatures(at), mode);
    const literal = places.get((hits[at] as Ranked).chunk);
    probabilities[at] = literal === undefined ? own : Math.max(own, leastProbability(literal, at));
  }
  const scores = fallingScores(probabilities, counted);
  // The boost exchanges the scores that it reads, so only an analysis without it can return its features.
  const isWithoutPlaces = recorder.isRecording && without.has(placeInFile.name);
  const placesOf = isWithoutPlaces ? placeEvidence(hits, question) : undefined;
  const features = hits
    .slice(0, recorder.isRecording ? keep : 1)
    .map((hit, at) => ({ ...toFeatures(readFeatures(at)), ...placesOf?.(hit) }));
  const [first] = features;
  // The test for chance was calibrated neither on bug reports, which share words with any code, nor on small indexes.
  const isMeasured = query.report === undefined && lanes.size >= MIN_MEASURED_CHUNKS;
  const best = hits[0] && places.get(hits[0].chunk);
  // A name that only begins with the query does not make the hits behind it more likely.
  const isLiteral = best !== undefined && best.begun === undefined;
  const isByChance = isMeasured && !isLiteral && first !== undefined && isChance(first, mode);
  const unit = highest(hits) || 1;
  const behind = chunksBehind(hits, counted);
  const ranked = hits.slice(0, counted).map((hit) => withSymbolsPassing(filter, hit));
  const kept = ranked.slice(0, keep);
  const definitions = await definitionsOf(kept, query, lanes);
  const symbols = symbolsOfHits(kept, query, definitions, question.findings?.mentions);
  return ranked.map((hit, i) => ({
    ...withLaneDetails(hit),
    ...passing(filter, symbols[i] ?? NO_SYMBOLS),
    index: index.name,
    root: index.root,
    literal: places.get(hit.chunk)?.match,
    begun: places.get(hit.chunk)?.begun,
    places: behind.get(hit.chunk) ?? [],
    share: hit.score / unit,
    ...(recorder.isRecording ? { features: features[i] } : {}),
    probability: probabilities[i] ?? 0,
    isChance: isByChance && !places.has(hit.chunk),
    score: scores[i] ?? 0,
  }));
}

/** With a type filter, shows only symbols of that type. */
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

/** The cosines of a remote model have no known scale: its indexes are scored by keywords alone. */
function scoreModeOf({ embedder }: SearchableIndex, { without, vectors }: LaneRequest): ScoreMode {
  if (without.has("keyword") && without.has("symbol")) return "semantic";
  const hasVectors = embedder !== undefined && vectors.has(embedder.modelId);
  return hasVectors && embedder.minCosine !== undefined ? "hybrid" : "keyword";
}

/** The definitions and files that a bug report names; undefined for other queries. */
async function findingsOf(
  { query, filter }: LaneRequest,
  { index, lanes }: OpenLanes,
  { recorder }: SearchTrace,
): Promise<ReportFindings | undefined> {
  if (query.report === undefined) return undefined;
  const stage = await recorder.start("names");
  const findings = await findNamed(query.report, filter, lanes);
  const { mentions, namedFiles } = findings;
  stage.end(() => ({
    count: mentions.size,
    notes: { index: index.name, files: [...namedFiles.keys()].slice(0, 20) },
  }));
  return findings;
}

/** The chunks of files that are named after an identifier of the query. */
async function filesMatchingIdentifiers(
  { identifiers }: Query,
  lanes: Lanes,
): Promise<Question["filesMatchingIdentifier"]> {
  return await factsOf(filesNamed(identifiers.map(toName).flatMap(homeStems), lanes), lanes);
}

/**
 * The chunks of files that the query names by a path or by a stack frame. A name with a dot may be the name of a file:
 * `server.properties`.
 */
async function filesMatchingPaths(
  { paths, frames, kind, identifiers }: Query,
  lanes: Lanes,
): Promise<Question["filesMatchingPath"]> {
  const dotted = kind === "symbol" ? identifiers.filter((name) => name.includes(".")) : [];
  const stems = [...paths, ...dotted].map((path) => squash(stemOf(path)));
  const matches = (file: string) =>
    dotted.includes(baseNameOf(file)) ||
    paths.some((path) => isNamed(file, path)) ||
    frames.some((frame) => mayBeFrameOf(file, frame));
  return await factsOf(filesNamed(stems, lanes).filter(matches), lanes);
}

function filesNamed(stems: readonly string[], lanes: Lanes): string[] {
  return [...new Set(stems)].flatMap((each) => lanes.pathsByStem(each));
}

async function factsOf(
  paths: readonly string[],
  lanes: Lanes,
): Promise<ReadonlyMap<number, ChunkFacts>> {
  return await lanes.facts(await lanes.chunksOf(paths));
}

/** Counts the chunks that several lanes found, and the chunks that only one lane found. */
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

/** How many of the first `limit` ranks have another chunk than before. */
function movedIn(before: readonly Ranked[], after: readonly Ranked[], limit: number): number {
  return after.slice(0, limit).filter(({ chunk }, i) => before[i]?.chunk !== chunk).length;
}
