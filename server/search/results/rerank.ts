/** Sends the best chunks to a reranker, and fuses its order with the original order by rank. */

import { messageOf } from "../../common/errors.ts";
import type { Reranker } from "../../contracts/query-models.ts";
import { definitionGrade } from "../boosts/definition.ts";
import type { ReadLines } from "../context.ts";
import type { SearchTrace } from "../lanes/ask-lanes.ts";
import { toName } from "../lanes/symbol-names.ts";
import type { Query } from "../query/query.ts";
import type { RankedHit } from "../ranking.ts";
import { symbolOf } from "./answer.ts";
import { fallingScores } from "./score.ts";

/**
 * Smaller than in the fusion of lanes: 50 candidates are a short list in an already good order. Simulated with
 * rerankers of five qualities on both benchmark sets, 10 is better than 60 in each case, by .001 to .10 of NDCG@10.
 */
const RANK_CONSTANT = 10;

/**
 * Published rerankers lose .1 to 8.3 points of NDCG@10 on code if they replace the order, so both orders have equal weight:
 * the first and the last candidate can swap, and neither order decides alone.
 */
const WEIGHT = 0.5;

/** Returns the list with its first candidates reordered. If the reranker fails, returns the list unchanged and calls `report`. */
export async function rerank(
  hits: readonly RankedHit[],
  query: Query,
  { reranker, readLines }: { readonly reranker: Reranker; readonly readLines: ReadLines },
  trace: SearchTrace,
  signal: AbortSignal | undefined,
): Promise<readonly RankedHit[]> {
  const candidates = hits.slice(0, reranker.candidates);
  if (candidates.length < 2 || query.text === "") return hits;
  if (!reranker.isAvailable) {
    trace.isIncomplete = true;
    trace.recorder.note("rerank", 0, {
      notes: { model: reranker.id, skipped: "it failed before" },
    });
    return hits;
  }
  const start = performance.now();
  try {
    const documents = await Promise.all(candidates.map((hit) => documentOf(hit, query, readLines)));
    const scores = await reranker.rerank(query.text, documents, signal);
    signal?.throwIfAborted();
    // Chunks without a score keep their place, and a later search may score them.
    const scored = candidates.slice(0, scores.length);
    if (scored.length < candidates.length) trace.isIncomplete = true;
    const fused = fuseOrders(scored, scores, query, reranker.id);
    const moved = fused.filter(({ chunk }, i) => chunk !== candidates[i]?.chunk).length;
    const notes = { model: reranker.id, scored: scored.length, moved };
    trace.recorder.note("rerank", performance.now() - start, { count: candidates.length, notes });
    return rescoredInOrder([...fused, ...hits.slice(scored.length)]);
  } catch (error) {
    signal?.throwIfAborted();
    const reason = messageOf(error);
    trace.log.warn("the reranker was left out", { reranker: reranker.id, reason });
    trace.warnings.push(`not reranked: ${reason}`);
    const notes = { model: reranker.id, failed: reason };
    trace.recorder.note("rerank", performance.now() - start, { notes });
    return hits;
  }
}

/** The document for the cross-encoder: the path, the definitions, and the code. `readLines` masks secrets. */
async function documentOf(
  { root, facts }: RankedHit,
  query: Query,
  readLines: ReadLines,
): Promise<string> {
  const symbol = symbolOf(facts, query);
  const lines = (await readLines(root, facts.path, facts.lines)) ?? [];
  const head = [facts.path, ...(symbol === undefined ? [] : [symbol.name, symbol.signature])];
  return [...head, ...lines].join("\n");
}

/** Keeps definitions of a queried name first; the reranker breaks ties. */
function fuseOrders(
  candidates: readonly RankedHit[],
  scores: readonly number[],
  query: Query,
  model: string,
): RankedHit[] {
  const names = query.identifiers.map(toName);
  const firstOther = candidates.findIndex((hit) => definitionGrade(hit.facts, names) === 0);
  const pinned = candidates.slice(0, firstOther === -1 ? candidates.length : firstOther);
  const order = candidates
    .map((_, i) => i)
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const fused = candidates.map((hit, originalRank) => {
    const newRank = order.indexOf(originalRank);
    const [own, other] = [
      1 / (RANK_CONSTANT + originalRank + 1),
      1 / (RANK_CONSTANT + newRank + 1),
    ];
    const detail = `rank ${newRank + 1} of ${candidates.length} by ${model}, ${originalRank + 1} before`;
    const reason = { name: "rerank", contribution: WEIGHT * (other - own), detail };
    const score = (1 - WEIGHT) * own + WEIGHT * other;
    return { hit: { ...hit, reasons: [...hit.reasons, reason] }, originalRank, newRank, score };
  });
  const isPinned = (originalRank: number) => originalRank < pinned.length;
  return fused
    .toSorted(
      (a, b) =>
        Number(isPinned(b.originalRank)) - Number(isPinned(a.originalRank)) ||
        (isPinned(a.originalRank)
          ? a.originalRank - b.originalRank
          : b.score - a.score || a.newRank - b.newRank),
    )
    .map(({ hit }) => hit);
}

/** Assigns falling scores to the reordered list, and records the new ranks. */
function rescoredInOrder(hits: readonly RankedHit[]): RankedHit[] {
  const scores = fallingScores(hits.map(({ probability }) => probability));
  return hits.map((hit, i) => ({
    ...hit,
    ranks: { ...hit.ranks, rerank: i + 1 },
    score: scores[i] ?? 0,
  }));
}
