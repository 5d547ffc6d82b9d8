/** The two parts of a lane's contribution to a fused ranking: one by rank, one by score. */

/** The constant k of reciprocal rank fusion (Cormack et al., SIGIR 2009). A larger one flattens the ranking. */
export const RANK_CONSTANT = 60;

/** `numerator` / (`RANK_CONSTANT` + rank), for an index from 0. */
export function reciprocalRank(index: number, numerator = 1): number {
  return numerator / (RANK_CONSTANT + index + 1);
}

/**
 * Min-max normalization of a lane's scores to 0..1, from the scores of its first and its last candidate. A keyword score has a
 * natural zero; a cosine does not, so with `isCosine` the lowest score becomes 0.
 */
export function createScoreScale(
  highest = 0,
  lowest = 0,
  isCosine = false,
): (score: number) => number {
  const zero = isCosine ? lowest : 0;
  return highest > zero ? (score) => (score - zero) / (highest - zero) : () => 1;
}
