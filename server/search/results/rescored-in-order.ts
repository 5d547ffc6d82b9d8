/** Gives a list that a later stage has reordered the scores that a user sees, and notes the new places. */

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
