/** Asks the lanes of one index; one that fails is named and left out. */

import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { inBatches, type YieldToForeground } from "../../common/slices.ts";
import type { Candidate, Filter, Lanes } from "../../contracts/lanes.ts";
import type { LaneName } from "../../contracts/model.ts";
import type { ReadLines, SearchableIndex } from "../context.ts";
import type { Query } from "../query/query.ts";
import type { Recorder } from "../recorder.ts";
import type { ReportFindings } from "../report/report-findings.ts";
import type { LaneAnswer } from "./fuse.ts";

/**
 * Candidates per lane: boosts need something to choose from. 50 lose .005 on questions and .007 on commit subjects against
 * 150; 100 to 200 are alike, 300 lose .003 on both. The same for every list of up to 50 hits, so that a longer list begins
 * like a shorter one.
 */
const MIN_CANDIDATES = 150;
const OVERFETCH = 3;

/** A name in a pasted text is looked up; the hundredth says nothing new. */
const MAX_NAMES = 20;

/** One search, as every index sees it. */
export interface Asked {
  readonly query: Query;
  readonly filter: Filter | undefined;
  readonly limit: number;
  /** How many hits of each index are kept for the stages after ranking: `limit` at least. */
  readonly keep: number;
  /** Names of lanes and boosts that are left out. */
  readonly without: ReadonlySet<string>;
  /** Whether all lanes weigh the same, however the query looks. */
  readonly isHybrid: boolean;
  /** The query's vector by model id; a model that failed has none. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
  readonly readLines: ReadLines;
  /** What a bug report names in the index that is asked. */
  readonly findings?: ReportFindings | undefined;
}

/** Where a search says what happened. */
export interface Report {
  readonly recorder: Recorder;
  /** Sentences for the user; each failure adds one. */
  readonly warnings: string[];
  /** Set where a later answer may be better, though nothing is to be said: such an answer is not cached. */
  isIncomplete?: boolean;
  readonly log: Log;
  /** Whether how well the lanes searched is worth a second search. */
  readonly isAnalysis?: boolean;
}

export async function askLanes(
  index: SearchableIndex,
  lanes: Lanes,
  asked: Asked,
  report: Report,
  signal: AbortSignal | undefined,
): Promise<LaneAnswer[]> {
  const { query, filter, without } = asked;
  const limit = Math.max(MIN_CANDIDATES, asked.limit * OVERFETCH);
  const { pause } = report.recorder;
  const vector = index.embedder && asked.vectors.get(index.embedder.modelId);
  const runs: readonly [LaneName, (() => Promise<Candidate[]>) | undefined][] = [
    ["vector", vector && (() => lanes.vector(vector, filter, limit, pause))],
    [
      "keyword",
      query.words.length > 0 ? () => lanes.keyword(query.words, filter, limit, pause) : undefined,
    ],
    ["symbol", symbolLane(lanes, asked, limit, pause)],
  ];
  const answers = await inBatches(
    runs,
    lanes.questionsAtOnce,
    pause,
    async ([lane, run]): Promise<LaneAnswer[]> => {
      if (run === undefined || without.has(lane)) return [];
      try {
        const candidates = await report.recorder.stage(lane, run, (found) => ({
          count: found.length,
          notes: { index: index.name },
        }));
        return [{ lane, candidates }];
      } catch (error) {
        signal?.throwIfAborted();
        const reason = messageOf(error);
        report.log.warn(`the ${lane} lane failed and was left out`, { index: index.name, reason });
        report.warnings.push(`${index.name}: the ${lane} lane was left out: ${reason}`);
        return [];
      }
    },
  );
  const found = withoutChance(answers.flat(), index);
  const near = found.find(({ lane }) => lane === "vector")?.candidates;
  if (report.isAnalysis === true && vector !== undefined && near !== undefined) {
    await report.recorder.stage(
      "recall",
      () => lanes.recall(vector, filter, near),
      (share) => ({ notes: { index: index.name, ofExactSearch: share } }),
    );
  }
  return found;
}

function symbolLane(
  lanes: Lanes,
  { query, filter, findings }: Asked,
  limit: number,
  pause: YieldToForeground,
): (() => Promise<Candidate[]>) | undefined {
  // Its names are looked up already, and weighed by a boost of their own.
  if (findings !== undefined) return undefined;
  return query.identifiers.length > 0
    ? () => askNames(lanes, query, filter, limit, pause)
    : undefined;
}

/**
 * Where no chunk has one of the query's words, the nearest vectors are near by chance unless they are quite near: words
 * that mean nothing are not found. Without a keyword lane the vectors are all there is, and stay.
 */
function withoutChance(
  answers: readonly LaneAnswer[],
  { embedder }: SearchableIndex,
): LaneAnswer[] {
  const least = embedder?.minCosine;
  const keyword = answers.find(({ lane }) => lane === "keyword");
  const hasWords = answers.some(
    ({ lane, candidates }) => lane !== "vector" && candidates.length > 0,
  );
  if (least === undefined || keyword === undefined || hasWords) return [...answers];
  return answers.map(({ lane, candidates }) => ({
    lane,
    candidates: candidates.filter(({ score }) => score >= least),
  }));
}

/** The best grade of each chunk over all names of the query. */
async function askNames(
  lanes: Lanes,
  query: Query,
  filter: Filter | undefined,
  limit: number,
  pause: YieldToForeground,
): Promise<Candidate[]> {
  const names = query.identifiers.slice(0, MAX_NAMES);
  const lists = await inBatches(names, lanes.questionsAtOnce, pause, (name) =>
    lanes.symbol(name, filter, limit, pause),
  );
  const grades = new Map<number, number>();
  for (const { chunk, score } of lists.flat()) {
    grades.set(chunk, Math.max(score, grades.get(chunk) ?? 0));
  }
  return [...grades]
    .map(([chunk, score]) => ({ chunk, score }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit);
}
