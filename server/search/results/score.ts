/** The score that a user sees: 0 to 1, the same meaning in every mode and index, never rising down the list. */

import type { Evidence, Ranked } from "../ranking.ts";

/**
 * How strongly the lanes say that a chunk answers, as independent witnesses: 1 - (1 - a)(1 - b)(1 - c).
 *
 * The witnesses are the cosine, the share of the best attainable BM25, and the grade of the name. None of
 * them depends on what else is in the index, so a threshold keeps its meaning between indexes, and with the
 * vector lane alone the score is the cosine.
 */
export function strengthOf(evidence: Evidence): number {
  const doubt = Object.values(evidence).reduce((product, each) => product * (1 - clamp(each)), 1);
  return 1 - doubt;
}

/**
 * The scores of a list in its order: the non-increasing sequence that is closest to the strengths.
 *
 * Boosts may place a chunk before one with stronger evidence; such neighbours share their mean (pool
 * adjacent violators), so that sorting by score keeps the order of the list.
 */
export function scoresOf(hits: readonly Pick<Ranked, "evidence">[]): number[] {
  const pools: { sum: number; size: number }[] = [];
  for (const { evidence } of hits) {
    let pool = { sum: strengthOf(evidence), size: 1 };
    for (
      let last = pools.at(-1);
      last && last.sum / last.size <= pool.sum / pool.size;
      last = pools.at(-1)
    ) {
      pool = { sum: pool.sum + last.sum, size: pool.size + last.size };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ sum, size }) => Array.from({ length: size }, () => clamp(sum / size)));
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
