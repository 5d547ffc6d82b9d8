/** Queries the lanes of one index for candidates. */

import { vectorLength } from "../../common/byte-rows.ts";
import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { inBatches } from "../../common/slices.ts";
import type { Candidate, Filter, LaneBounds, Lanes } from "../../contracts/lanes.ts";
import type { LaneName } from "../../contracts/model.ts";
import type { ReadLines, SearchableIndex } from "../context.ts";
import { countWords, isOpenQuestion, lengthShare } from "../query/open-question.ts";
import type { Query } from "../query/query.ts";
import type { Recorder } from "../recorder.ts";
import type { ReportFindings } from "../report/report-findings.ts";
import type { LaneAnswer } from "./fuse.ts";
import type { Name } from "./symbol-names.ts";

/**
 * Candidates per lane at the default limit, so that boosts have enough to choose from; measured in
 * test/ranking/results.md. A constant minimum makes a longer list begin like a shorter one.
 */
const MIN_CANDIDATES = 150;
const OVERFETCH = 3;

/**
 * The offset of the model counts in questions of more words than this, and in full from the second number on. Shorter ones name
 * a topic, which documents and tests answer as well. Measured in test/ranking/natural.md.
 */
const MIN_WORDS = 7;
const FULL_WORDS = 10;

/** Bounds the lookups for a long pasted text. */
const MAX_NAMES = 20;

/** With what every lane gets. */
type Bounds = Required<Pick<LaneBounds, "filter" | "limit" | "pause">>;

/** One search, as each index gets it. */
export interface LaneRequest {
  readonly query: Query;
  readonly filter: Filter | undefined;
  readonly limit: number;
  /** Hits of each index that are kept for the stages after ranking: at least `limit`. */
  readonly keep: number;
  /** Hits of each index that are ranked, at least `keep`; those behind `keep` are counted only. */
  readonly counted: number;
  /** Names of lanes and boosts to skip. */
  readonly without: ReadonlySet<string>;
  /** Whether all lanes weigh the same, for every kind of query. */
  readonly isHybrid: boolean;
  /** The query's vector by model id; a model that failed has none. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
  readonly readLines: ReadLines;
  /** The name that the query may begin or abbreviate; undefined if an index has it as a word. */
  readonly begun: Name | undefined;
  /** The definitions and files of this index that a bug report names. */
  readonly findings?: ReportFindings | undefined;
}

/** Where a search records its stages, its warnings and its log messages. */
export interface SearchTrace {
  readonly recorder: Recorder;
  /** Sentences for the user; each failure adds one. */
  readonly warnings: string[];
  /** Set if a later answer may be better, even without a warning: such an answer is not cached. */
  isIncomplete?: boolean;
  readonly log: Log;
}

/** The candidates of each lane that the request uses; a lane that fails adds a warning and is skipped. */
export async function askLanes(
  index: SearchableIndex,
  lanes: Lanes,
  request: LaneRequest,
  trace: SearchTrace,
  signal: AbortSignal | undefined,
): Promise<LaneAnswer[]> {
  const { query, filter, without } = request;
  const { recorder } = trace;
  const { pause } = recorder;
  const limit = Math.max(MIN_CANDIDATES, request.limit * OVERFETCH);
  const bounds = { filter, limit, pause };
  const vector = index.embedder && request.vectors.get(index.embedder.modelId);
  const orderBy = vector && orderVector(query, vector, index.embedder?.questionOffset);
  const runs: readonly [LaneName, (() => Promise<Candidate[]>) | undefined][] = [
    [
      "vector",
      vector &&
        (() => lanes.vector(vector, { ...bounds, orderBy, isSubstitute: index.isSubstitute })),
    ],
    [
      "keyword",
      query.words.length > 0 ? () => lanes.keyword(query.words, bounds, query.related) : undefined,
    ],
    ["symbol", symbolLane(lanes, request, bounds)],
  ];
  const answers = await inBatches(
    runs,
    lanes.questionsAtOnce,
    pause,
    async ([lane, run]): Promise<LaneAnswer[]> => {
      if (run === undefined || without.has(lane)) return [];
      try {
        const stage = await recorder.start(lane);
        const candidates = await run();
        stage.end(() => ({ count: candidates.length, notes: { index: index.name } }));
        return [{ lane, candidates }];
      } catch (error) {
        signal?.throwIfAborted();
        const reason = messageOf(error);
        trace.log.warn(`the ${lane} lane failed and was left out`, { index: index.name, reason });
        trace.warnings.push(`${index.name}: the ${lane} lane was left out: ${reason}`);
        return [];
      }
    },
  );
  const relevant = withoutChance(answers.flat(), index);
  const nearest = relevant.find(({ lane }) => lane === "vector")?.candidates;
  // Recall needs an extra exact search, so only an analysis measures it.
  if (recorder.isRecording && vector !== undefined && nearest !== undefined) {
    const stage = await recorder.start("recall");
    const share = await lanes.recall(orderBy ?? vector, filter, nearest);
    stage.end(() => ({ notes: { index: index.name, ofExactSearch: share } }));
  }
  return relevant;
}

/** The vector of an open question plus the offset, by the length of the question; undefined if the question's own orders. */
function orderVector(
  query: Query,
  vector: Float32Array,
  offset: Float32Array | undefined,
): Float32Array | undefined {
  const weight = isOpenQuestion(query) ? lengthShare(countWords(query), MIN_WORDS, FULL_WORDS) : 0;
  if (offset === undefined || weight === 0) return undefined;
  const sum = vector.map((value, i) => value + weight * (offset[i] as number));
  const length = vectorLength(sum) || 1;
  return sum.map((value) => value / length);
}

function symbolLane(
  lanes: Lanes,
  { query, findings }: LaneRequest,
  bounds: Bounds,
): (() => Promise<Candidate[]>) | undefined {
  // The names of a bug report are resolved already, and the report boost weighs them.
  if (findings !== undefined) return undefined;
  return query.identifiers.length > 0 ? () => askNames(lanes, query, bounds) : undefined;
}

/**
 * Applies the cosine cutoff if no chunk matches a word or a name: then the nearest vectors are near by chance. Without the
 * keyword lane all vectors are kept, since they are the only evidence.
 */
function withoutChance(
  answers: readonly LaneAnswer[],
  { embedder }: SearchableIndex,
): LaneAnswer[] {
  const minCosine = embedder?.minCosine;
  const keyword = answers.find(({ lane }) => lane === "keyword");
  const hasWords = answers.some(
    ({ lane, candidates }) => lane !== "vector" && candidates.length > 0,
  );
  if (minCosine === undefined || keyword === undefined || hasWords) return [...answers];
  return answers.map(({ lane, candidates }) => ({
    lane,
    candidates: candidates.filter(({ score }) => score >= minCosine),
  }));
}

/** The symbol lane for several names: each chunk with the best grade over all names of the query. */
async function askNames(lanes: Lanes, query: Query, bounds: Bounds): Promise<Candidate[]> {
  const names = query.identifiers.slice(0, MAX_NAMES);
  const lists = await inBatches(names, lanes.questionsAtOnce, bounds.pause, (name) =>
    lanes.symbol(name, bounds),
  );
  const grades = new Map<number, number>();
  for (const { chunk, score } of lists.flat()) {
    grades.set(chunk, Math.max(score, grades.get(chunk) ?? 0));
  }
  return [...grades]
    .map(([chunk, score]) => ({ chunk, score }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, bounds.limit);
}
