/** Finds code like that at a place: subject -> lanes -> fuse -> weigh -> merge -> expand. The file itself is left out. */

import { BadRequest, messageOf } from "../common/errors.ts";
import { pathInside } from "../common/path-inside.ts";
import { inBatches } from "../common/slices.ts";
import { wordsOf } from "../common/words.ts";
import type { ChunkFacts, Filter, LaneBounds, Lanes } from "../contracts/lanes.ts";
import type { CodeSymbol, Lines } from "../contracts/model.ts";
import { MAX_RANKED } from "../contracts/request-fields.ts";
import type { SimilarAnswer } from "../contracts/session.ts";
import type { SimilarRequest, SimilarSubject } from "../contracts/similar-request.ts";
import { loweringOf, purposesOf } from "./boosts/file-category.ts";
import type { SearchableIndex, SearchContext } from "./context.ts";
import { fuse, type LaneAnswer, withLaneDetails } from "./lanes/fuse.ts";
import { toFilter } from "./query/filter.ts";
import { parseQuery } from "./query/query.ts";
import { STOP_WORDS } from "./query/stop-words.ts";
import { highest, type Ranked, type RankedHit, rescore, sortByScore } from "./ranking.ts";
import { Recorder } from "./recorder.ts";
import { HITS_AT_ONCE, showingOf, toHit, withoutRanks } from "./results/answer.ts";
import { mergeLists } from "./results/merge.ts";
import { fallingScores, strengthOf } from "./results/score.ts";

export type SimilarParts = Omit<SimilarAnswer, "state" | "indexed" | "total">;

/** Candidates per lane, as in a search: the weights need a pool to choose from. */
const CANDIDATES = 150;
/** Only the first lines of a long definition form the query: they describe its purpose. */
const MAX_LINES = 200;
const MAX_WORDS = 300;
/** The factor for each further chunk of a file, which adds little for a reader who has opened the file. */
const DECAY = 0.4;

/** A definition with its text, as it is compared. */
interface Subject extends SimilarSubject {
  readonly facts: ChunkFacts;
  readonly text: string;
}

interface Asked {
  readonly subject: Subject;
  readonly filter: Filter | undefined;
  /** The number of ranked chunks of each index. */
  readonly counted: number;
  readonly warnings: string[];
  readonly recorder: Recorder;
}

/** Rejects with BadRequest if no index contains the place. `request.path` is absolute. */
export async function findSimilar(
  context: SearchContext,
  request: SimilarRequest,
  signal?: AbortSignal,
): Promise<SimilarParts> {
  const subject = await subjectAt(context, request);
  const none = { languages: [], symbolTypes: [], paths: [], unknown: [] };
  const { path: _path, line: _line, ...filters } = request;
  const filter = toFilter({ query: "", ...filters }, none, context);
  const warnings = context.indexes.flatMap(({ mismatch }) => mismatch ?? []);
  const limit = request.limit ?? context.defaultLimit;
  const recorder = new Recorder({ isRecording: false, signal });
  const { offset = 0 } = request;
  const counted = request.offset === undefined ? limit : Math.max(offset + limit, MAX_RANKED);
  const question = { subject, filter, counted, warnings, recorder };
  const lists = await Promise.all(
    context.indexes.map((index) => rankSimilar(context, index, question, signal)),
  );
  signal?.throwIfAborted();
  const minScore = request.minScore ?? context.defaultMinScore;
  const likely = mergeLists(lists, counted).filter(({ score }) => score >= minScore);
  const isPage = request.offset !== undefined;
  const listed = isPage ? likely.slice(0, MAX_RANKED) : likely;
  const ranked = listed.slice(offset, offset + limit);
  const behind = listed.slice(offset + limit).length;
  const query = parseQuery(subject.symbol?.name ?? "", context.resolveLanguage);
  const shown = { query: "", ...filters };
  const open = await Promise.all(
    context.indexes.map(async (index) => ({ index, lanes: await index.lanes() })),
  );
  const showing = showingOf(query, open, context.readLines);
  const hits = await inBatches(ranked, HITS_AT_ONCE, recorder.pause, (each) =>
    toHit(each, showing, shown),
  );
  const isEmbedded = ranked.some(({ evidence }) => evidence.vector !== undefined);
  const { root, path, lines, symbol } = subject;
  return {
    subject: { root, path, lines, ...(symbol === undefined ? {} : { symbol }) },
    hits: hits.map(withoutRanks),
    ...(isPage ? { more: behind } : {}),
    mode: isEmbedded ? "hybrid" : "keyword",
    warnings,
  };
}

async function subjectAt(
  { indexes, readLines }: SearchContext,
  { path: absolute, line }: SimilarRequest,
): Promise<Subject> {
  for (const index of indexes) {
    const path = pathInside(index.root, absolute);
    if (path === undefined) continue;
    const lanes = await index.lanes();
    const all = [...(await lanes.facts(await lanes.chunksOf([path]))).values()];
    const facts = chunkAt(all, line);
    if (facts === undefined)
      throw new BadRequest((await index.why?.(path)) ?? `${absolute} is not indexed, or empty`);
    const here = await readLines(index.root, path, { start: line, end: line });
    if (here?.length === 0) throw new BadRequest(`${absolute} has no line ${line + 1}`);
    const symbol = definitionAt(all, line) ?? facts.symbols[0];
    const lines = linesOf(symbol, facts, line);
    const text = (await readLines(index.root, path, lines)) ?? [];
    return {
      root: index.root,
      path,
      lines,
      facts,
      text: text.join("\n"),
      ...(symbol === undefined ? {} : { symbol }),
    };
  }
  const isRoot = indexes.some(({ root }) => root === absolute);
  const problem = isRoot ? "is a folder; name a file in it" : "is in none of the opened folders";
  throw new BadRequest(`${absolute} ${problem}`);
}

/** The smallest chunk around a line; between chunks and after the last one, the chunk before. */
function chunkAt(all: readonly ChunkFacts[], line: number): ChunkFacts | undefined {
  const around = all.filter(({ lines }) => lines.start <= line && line <= lines.end);
  const before = all.filter(({ lines }) => lines.start <= line);
  return (
    around.toSorted((a, b) => sizeOf(a.lines) - sizeOf(b.lines))[0] ??
    before.toSorted((a, b) => b.lines.end - a.lines.end)[0] ??
    all[0]
  );
}

/** The innermost definition around a line. */
function definitionAt(all: readonly ChunkFacts[], line: number): CodeSymbol | undefined {
  return all
    .flatMap(({ symbols }) => symbols)
    .filter(({ lines }) => lines.start <= line && line <= lines.end)
    .toSorted((a, b) => sizeOf(a.lines) - sizeOf(b.lines))[0];
}

function linesOf(symbol: CodeSymbol | undefined, { lines }: ChunkFacts, line: number): Lines {
  const isAround = symbol !== undefined && symbol.lines.start <= line && line <= symbol.lines.end;
  const { start, end } = isAround ? symbol.lines : lines;
  return { start, end: Math.min(end, start + MAX_LINES - 1) };
}

const sizeOf = ({ start, end }: Lines): number => end - start;

/** The chunks of one index, best first; an index or lane that fails is skipped with a warning. */
async function rankSimilar(
  context: SearchContext,
  index: SearchableIndex,
  { subject, filter, counted, warnings, recorder }: Asked,
  signal: AbortSignal | undefined,
): Promise<RankedHit[]> {
  const answers: LaneAnswer[] = [];
  const attempt = async (name: string, run: () => Promise<LaneAnswer | undefined>) => {
    try {
      await recorder.pause();
      const answer = await run();
      if (answer !== undefined) answers.push(answer);
    } catch (error) {
      signal?.throwIfAborted();
      const reason = messageOf(error);
      context.log.warn(`the ${name} lane failed and was left out`, { index: index.name, reason });
      warnings.push(`${index.name}: the ${name} lane was left out: ${reason}`);
    }
  };
  const lanes = await index.lanes();
  const bounds: LaneBounds = {
    filter: withoutFile(filter, index.root === subject.root ? subject.path : undefined),
    limit: CANDIDATES,
    pause: recorder.pause,
  };
  await attempt("vector", () => byMeaning(index, lanes, subject, bounds, signal));
  await attempt("keyword", async () => ({
    lane: "keyword",
    candidates: await lanes.keyword(wordsToFind(subject), bounds),
  }));
  await attempt("symbol", () => byName(lanes, subject, bounds));
  await recorder.pause();
  const chunks = answers.flatMap(({ candidates }) => candidates.map(({ chunk }) => chunk));
  const facts = await lanes.facts([...new Set(chunks)]);
  const weighed = weigh(fuse(answers, "similar", facts), subject).slice(0, counted);
  const strengths = weighed.map(({ evidence }) => strengthOf(evidence));
  const scores = fallingScores(strengths);
  const best = highest(weighed) || 1;
  return weighed.map((hit, i) => ({
    ...withLaneDetails(hit),
    symbols: hit.facts.symbols,
    otherSymbols: [],
    places: [],
    index: index.name,
    root: index.root,
    share: hit.score / best,
    probability: strengths[i] ?? 0,
    isChance: false,
    score: scores[i] ?? 0,
  }));
}

function withoutFile(filter: Filter | undefined, own: string | undefined): Filter | undefined {
  if (own === undefined) return filter;
  const matches = filter?.matchesPath;
  return { ...filter, matchesPath: (path) => path !== own && (matches?.(path) ?? true) };
}

/** Embeds the subject as if it were a chunk, and queries the vector lane. */
async function byMeaning(
  { embedder, isSubstitute }: SearchableIndex,
  lanes: Lanes,
  { path, text, symbol, facts }: Subject,
  bounds: LaneBounds,
  signal: AbortSignal | undefined,
): Promise<LaneAnswer | undefined> {
  if (embedder === undefined || text.trim() === "") return undefined;
  const names = symbol === undefined ? [] : [symbol.name];
  const chunk = { path, text, names, languageId: facts.languageId };
  const [vector] = await embedder.embedChunks([chunk], signal);
  if (vector === undefined) return undefined;
  return { lane: "vector", candidates: await lanes.vector(vector, { ...bounds, isSubstitute }) };
}

/** The distinct words: the repetition of a definition's own names is not evidence for others. */
function wordsToFind({ path, text, symbol }: Subject): string[] {
  const words = [...wordsOf(symbol?.name ?? ""), ...wordsOf(text), ...wordsOf(path)];
  return [...new Set(words)].filter((word) => !STOP_WORDS.has(word)).slice(0, MAX_WORDS);
}

/** Definitions of the same name, which implement the same contract elsewhere. */
async function byName(
  lanes: Lanes,
  { symbol }: Subject,
  bounds: LaneBounds,
): Promise<LaneAnswer | undefined> {
  const name = symbol?.name.split(/[.:#]+/).at(-1);
  if (name === undefined || name === "") return undefined;
  return { lane: "symbol", candidates: await lanes.symbol(name, bounds) };
}

/** A test is like other tests, an example like other examples; files for another purpose are seldom meant. */
function weigh(hits: readonly Ranked[], subject: Subject): readonly Ranked[] {
  const own = purposesOf(subject.facts);
  for (const hit of hits) {
    const others = purposesOf(hit.facts).filter((each) => !own.includes(each));
    const { factor, names } = loweringOf(others);
    rescore(hit, hit.score * factor, "purpose", names);
  }
  const seen = new Map<string, number>();
  for (const hit of sortByScore(hits)) {
    const before = seen.get(hit.facts.path) ?? 0;
    seen.set(hit.facts.path, before + 1);
    const detail = `chunk ${before + 1} of the file`;
    rescore(hit, hit.score * DECAY ** before, "saturation", detail);
  }
  return sortByScore(hits);
}
