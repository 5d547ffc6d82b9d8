/** Merges the ranked lists of several lanes into one, by rank and score. */

import {
  createScoreScale,
  RANK_CONSTANT,
  reciprocalRank,
} from "../../common/ranking/rank-fusion.ts";
import type { Candidate, ChunkFacts } from "../../contracts/lanes.ts";
import type { LaneName, MatchType } from "../../contracts/model.ts";
import type { QueryKind } from "../query/query.ts";
import { type Evidence, newHit, type Ranked, sortByScore } from "../ranking.ts";

/**
 * How much of a lane's contribution is by rank; the rest is by score. A rank forgets by how much the first is better
 * than the second, a score trusts one lane's outlier too much. Measured with the built-in model, NDCG@10 on questions
 * and on commit subjects: 1 gives .876 and .774, 0.5 gives .882 and .775, 0 gives .877 and .776.
 */
const RANK_SHARE = 0.5;

/** The form of a query; `hybrid` ignores the form; `similar` is a query that consists of code. */
type FusionKind = QueryKind | "hybrid" | "similar";

/** How much a lane counts by the form of the query. */
const LANE_WEIGHTS: Readonly<Record<FusionKind, Readonly<Record<LaneName, number>>>> = {
  // A name is a word before it is a meaning.
  symbol: { vector: 0.3, keyword: 0.7, symbol: 0.7 },
  word: { vector: 0.5, keyword: 0.5, symbol: 0.5 },
  // A path says little about meaning; its words are in the keyword lane.
  path: { vector: 0.3, keyword: 0.7, symbol: 0.3 },
  // 0.3 to 0.6 for the vector are within .004 of each other on both benchmarks.
  sentence: { vector: 0.5, keyword: 0.5, symbol: 0.3 },
  // A printed message occurs verbatim in the source; its meaning matters less.
  error: { vector: 0.3, keyword: 0.7, symbol: 0.3 },
  // Names are weighed by a boost of their own: a paste is full of them, and most are only used.
  report: { vector: 0.4, keyword: 0.6, symbol: 0 },
  // A caller that asks for all three knows better than the form of the query.
  hybrid: { vector: 0.5, keyword: 0.5, symbol: 0.5 },
  similar: { vector: 0.5, keyword: 0.5, symbol: 0.3 },
  empty: { vector: 0, keyword: 0, symbol: 0 },
};

/** The answer of one lane, best first. */
export interface LaneAnswer {
  readonly lane: LaneName;
  readonly candidates: readonly Candidate[];
}

/** A hit while lanes add to it. */
interface Draft extends Ranked {
  readonly evidence: Partial<Record<LaneName, number>>;
  readonly ranks: Record<string, number>;
}

/**
 * Merges the lists of several lanes by rank and score: half reciprocal rank fusion, half a weighted sum of scores that are
 * normalized to 0..1 per lane. A chunk without facts was removed from the index and is skipped. `withLaneDetails` adds the
 * details of reasons for displayed hits.
 */
export function fuse(
  answers: readonly LaneAnswer[],
  kind: FusionKind,
  factsOf: ReadonlyMap<number, ChunkFacts>,
): readonly Ranked[] {
  const fused = new Map<number, Draft>();
  for (const { lane, candidates } of answers) {
    const [first, last] = [candidates[0], candidates.at(-1)];
    const toShare = createScoreScale(
      first && orderOf(first),
      last && orderOf(last),
      lane === "vector",
    );
    const weight = LANE_WEIGHTS[kind][lane];
    candidates.forEach((candidate, i) => {
      const { chunk, score } = candidate;
      let hit = fused.get(chunk);
      if (hit === undefined) {
        const facts = factsOf.get(chunk);
        if (facts === undefined) return;
        hit = newHit(chunk, facts, {});
        fused.set(chunk, hit);
      }
      const byRank = reciprocalRank(i);
      const byScore = toShare(orderOf(candidate)) / (RANK_CONSTANT + 1);
      const contribution = weight * (RANK_SHARE * byRank + (1 - RANK_SHARE) * byScore);
      hit.score += contribution;
      hit.evidence[lane] = score;
      hit.ranks[lane] = i + 1;
      hit.reasons.push({ name: lane, contribution });
    });
  }
  return sortByScore([...fused.values()]);
}

/** The hit with what its reasons say of the lanes. */
export function withLaneDetails<T extends Ranked>(hit: T): T {
  const { ranks, evidence } = hit;
  const reasons = hit.reasons.map((reason) => {
    const score = evidence[reason.name as LaneName];
    if (score === undefined || reason.detail !== undefined) return reason;
    return { ...reason, detail: `rank ${ranks[reason.name]}, ${score.toFixed(3)}` };
  });
  return { ...hit, reasons };
}

/** The number that orders the candidates of a lane. */
export function orderOf({ score, order = score }: Candidate): number {
  return order;
}

/** A name that matched is a match by word. */
export function matchTypeOf({ vector, keyword, symbol }: Evidence): MatchType {
  const isByWord = keyword !== undefined || symbol !== undefined;
  if (vector === undefined) return "keyword";
  return isByWord ? "both" : "semantic";
}
