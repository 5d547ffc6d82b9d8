/** The second stage: searches, then reads the hits and the related definitions. */

import { memoize } from "../common/memoize.ts";
import { createPause, inBatches } from "../common/slices.ts";
import type { TokenCounter } from "../common/tokens.ts";
import { identifierPartsOf } from "../common/words.ts";
import type { ContextRequest } from "../contracts/context-request.ts";
import type { CodeSymbol, Hit } from "../contracts/model.ts";
import type { SearchRequest } from "../contracts/search-request.ts";
import type { MessageAnalysis } from "./analyze.ts";
import { FileText, fileKey, mergePassages, type Passage, passageOf } from "./passage.ts";
import { rankRelevance } from "./rank.ts";
import type { ContextSources } from "./sources.ts";

/** A passage takes about this many tokens; a search for more would be left out anyway. */
const TOKENS_PER_HIT = 100;
const MIN_HITS = 20;
const MAX_HITS = 60;

/** The number of hits added from the files that a short reply is about, and their rank in the list. */
const MAX_RECENT_HITS = 5;
const RECENT_HITS_RANK = 3;

/** The definitions of this many first files are read, too, if the search did not find them. */
const SIBLING_FILES = 3;
/** The weight of such a definition relative to the best of its file, in each further file, and for each word of the question in its name. */
const SIBLING_SHARE = 0.5;
const SIBLING_FILE_DECAY = 0.6;
const SIBLING_WORD_GAIN = 0.5;

/** A millisecond each where they have to be read, and to be looked through for secrets. */
const FILES_AT_ONCE = 5;

/** Names of the definitions in the files that the message mentions. */
const REMEMBERED_NAMES = 10_000;

/** Places whose callers and callees are named, and how many of those are looked up: more than their share can name. */
const MAX_PLACES_WITH_NEIGHBORS = 3;
const TOKENS_PER_NEIGHBOR = 150;

const WHOLE_FILE = { start: 0, end: 1_000_000 };

export interface Retrieved {
  /** The passages found, by descending relevance. */
  readonly passages: readonly Passage[];
  /** The further places of the hits: definitions of their files that the search ranks behind them. */
  readonly places: readonly Passage[];
  /** Other definitions of the first files. */
  readonly siblings: readonly Passage[];
  /** The callees and callers of the first passages. */
  readonly neighbors: readonly Passage[];
  readonly files: ReadonlyMap<string, FileText>;
  readonly warnings: readonly string[];
}

export async function retrieve(
  sources: ContextSources,
  analysis: MessageAnalysis,
  request: ContextRequest,
  tokenBudget: number,
  counter: TokenCounter,
): Promise<Retrieved> {
  const limit = Math.max(MIN_HITS, Math.min(MAX_HITS, Math.ceil(tokenBudget / TOKENS_PER_HIT)));
  const { terms, paths, languages, indexes } = request;
  const search: SearchRequest = { query: analysis.query, terms, limit, paths, languages, indexes };
  const { hits, warnings } = await sources.search(search);
  const recent =
    analysis.files.length === 0
      ? []
      : (await sources.search({ ...search, limit: MAX_RECENT_HITS, paths: [...analysis.files] }))
          .hits;
  const passages = mergePassages(withRecent(hits, recent), rankRelevance);
  const [found, neighbors] = await Promise.all([
    readFiles(sources, passages, counter),
    findNeighbors(sources, passages, Math.ceil(tokenBudget / TOKENS_PER_NEIGHBOR)),
  ]);
  const others = neighbors.filter((neighbor) => !found.has(fileKey(neighbor)));
  const files = new Map([...found, ...(await readDefinitions(sources, others, counter))]);
  return {
    passages,
    places: hits.flatMap(placesOf),
    siblings: siblingsOf(passages, files, analysis.query, limit),
    neighbors,
    files,
    warnings,
  };
}

/** Inserts hits of earlier files behind the best answers to the message itself. */
function withRecent(hits: readonly Hit[], recent: readonly Hit[]): Hit[] {
  const all = [...hits.slice(0, RECENT_HITS_RANK), ...recent, ...hits.slice(RECENT_HITS_RANK)];
  const seen = new Set<string>();
  return all.filter((hit) => {
    const key = `${fileKey(hit)}\n${hit.lines.start}`;
    return !seen.has(key) && seen.add(key);
  });
}

function placesOf({ symbol: _symbol, places = [], ...hit }: Hit, rank: number): Passage[] {
  return places.map((place) => {
    const contextRange = place.symbol?.lines ?? place.lines;
    return passageOf({ ...hit, ...place, contextRange }, rankRelevance(rank));
  });
}

async function readFiles(
  sources: ContextSources,
  passages: readonly Passage[],
  counter: TokenCounter,
): Promise<Map<string, FileText>> {
  const byFile = new Map(passages.map((passage) => [fileKey(passage), passage]));
  const readOne = async ([key, { root, path }]: [string, Passage]) => {
    const [lines, definitions] = await Promise.all([
      sources.readLines(root, path, WHOLE_FILE),
      sources.definitions(root, path),
    ]);
    return [key, new FileText(lines ?? [], definitions, counter)] as const;
  };
  return new Map(await inBatches([...byFile], FILES_AT_ONCE, createPause(), readOne));
}

/** Neighbors are only named: a file is read where its definitions do not say how. */
async function readDefinitions(
  sources: ContextSources,
  neighbors: readonly Passage[],
  counter: TokenCounter,
): Promise<Map<string, FileText>> {
  const byFile = new Map<string, Passage[]>();
  for (const each of neighbors) {
    byFile.set(fileKey(each), [...(byFile.get(fileKey(each)) ?? []), each]);
  }
  const readOne = async ([key, [first, ...others]]: [string, Passage[]]) => {
    if (first === undefined) return [];
    const { root, path } = first;
    const definitions = await sources.definitions(root, path);
    const isDefined = ({ range: { start } }: Passage) =>
      definitions.some(({ lines }) => lines.start <= start && start <= lines.end);
    const isEnough = [first, ...others].every(isDefined);
    const lines = isEnough ? [] : await sources.readLines(root, path, WHOLE_FILE);
    return [[key, new FileText(lines ?? [], definitions, counter)] as const];
  };
  const read = await inBatches([...byFile], FILES_AT_ONCE, createPause(), readOne);
  return new Map(read.flat());
}

/** Neighbors of a definition, which often change with it. Neighbors that share words with the question come first. */
function siblingsOf(
  passages: readonly Passage[],
  files: ReadonlyMap<string, FileText>,
  query: string,
  limit: number,
): Passage[] {
  const words = new Set(identifierPartsOf(query).filter((word) => word.length > 2));
  const byFile = new Map<string, Passage[]>();
  for (const passage of passages) {
    const key = fileKey(passage);
    const ofFile = byFile.get(key);
    if (ofFile !== undefined) ofFile.push(passage);
    else if (byFile.size < SIBLING_FILES) byFile.set(key, [passage]);
  }
  const siblings = [...byFile].flatMap(([key, ofFile], rank) => {
    const [best] = ofFile;
    if (best === undefined) return [];
    const isFound = ({ lines }: CodeSymbol) =>
      ofFile.some(({ range }) => range.start <= lines.end && lines.start <= range.end);
    const share = best.relevance * SIBLING_SHARE * SIBLING_FILE_DECAY ** rank;
    const definitions = files.get(key)?.definitions ?? [];
    return definitions
      .filter((symbol, i) => !isFound(symbol) && !contains(symbol, definitions[i + 1]))
      .map((symbol) => {
        const named = partsOfName(symbol.name).filter((part) => words.has(part)).length;
        return { best, symbol, relevance: share * (1 + SIBLING_WORD_GAIN * named) };
      });
  });
  return siblings
    .toSorted((a, b) => b.relevance - a.relevance)
    .slice(0, limit)
    .map(({ best, symbol, relevance }) => {
      return { ...best, symbol, range: symbol.lines, matches: [symbol.lines], relevance };
    });
}

const partsOfName = memoize(identifierPartsOf, REMEMBERED_NAMES);

/** Definitions are in source order: one that has members contains the next one. */
function contains({ lines }: CodeSymbol, next: CodeSymbol | undefined): boolean {
  return next !== undefined && next.lines.start > lines.start && next.lines.end <= lines.end;
}

async function findNeighbors(
  sources: ContextSources,
  passages: readonly Passage[],
  limit: number,
): Promise<Passage[]> {
  const first = passages.slice(0, MAX_PLACES_WITH_NEIGHBORS);
  const places = first.map(({ root, path, range }) => ({ root, path, lines: range }));
  const [best] = passages;
  if (best === undefined) return [];
  const neighbors: Passage[] = [];
  for await (const { root, path, line } of sources.neighbors(places)) {
    if (neighbors.length >= limit) break;
    const { symbol: _symbol, ...rest } = best;
    const lines = { start: line, end: line };
    neighbors.push({ ...rest, root, path, range: lines, matches: [lines] });
  }
  return neighbors;
}
