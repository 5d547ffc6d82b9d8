/** Assigns monotonic scores to a list reordered by a later stage, and records the new ranks. */

import { type RankedHit, withRanks } from "../ranking.ts";
import { fallingScores } from "./score.ts";

export function rescoredInOrder(hits: readonly RankedHit[], stage: string): RankedHit[] {
  const scores = fallingScores(hits.map(({ probability }) => probability));
  return withRanks(hits, stage).map((ranked, i) => ({
    ...(hits[i] as RankedHit),
    ...ranked,
    score: scores[i] ?? 0,
  }));
}
