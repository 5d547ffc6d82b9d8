/** Gives a list that a later stage has reordered the scores that a user sees, and notes the new places. */

import { type RankedHit, withRanks } from "../ranking.ts";
import { scoresOf } from "./score.ts";

export function rescoredInOrder(hits: readonly RankedHit[], stage: string): RankedHit[] {
  const scores = scoresOf(hits);
  return withRanks(hits, stage).map((ranked, i) => {
    const { index, root, share, symbols, otherSymbols } = hits[i] as RankedHit;
    return { ...ranked, index, root, share, symbols, otherSymbols, score: scores[i] ?? 0 };
  });
}
