/** Turns the score of a hit into the displayed one: a calibrated probability that the hit is a right place, non-increasing down the list. */

import type { Relevance } from "../../contracts/model.ts";
import type { Evidence } from "../ranking.ts";
import { type Features, LIST_FEATURES } from "./features.ts";
import { SCORE_MODELS } from "./score-model.ts";

/** The lanes that answered. The evidence of each set has its own coefficients. */
export type ScoreMode = keyof typeof SCORE_MODELS;

/**
 * Below this a hit is a weak match. Half of the first ten hits are, and 13 % of the right ones (test/ranking/calibration.md); with
 * .1 it is four fifths and 34 %.
 */
const MIN_STRONG = 0.05;

/** The probability that a hit is a right place, by its own evidence: features in the order of FEATURE_NAMES. */
export function probabilityOf(features: ArrayLike<number>, mode: ScoreMode): number {
  return logistic(SCORE_MODELS[mode].score, features);
}

/** Whether a list is no stronger than the results of a question about an unrelated repository. */
export function isChance(first: Features, mode: ScoreMode): boolean {
  const { chance, minChance } = SCORE_MODELS[mode];
  const values = LIST_FEATURES.map((name) => first[name]);
  return logistic(chance, values) < minChance;
}

export function relevanceOf({
  score,
  isChance: isByChance,
}: {
  readonly score: number;
  readonly isChance: boolean;
}): Relevance {
  if (isByChance) return "chance";
  return score < MIN_STRONG ? "weak" : "strong";
}

/**
 * Combines the scores of lanes as independent evidence: 1 - (1 - a)(1 - b)(1 - c). Used for similar code, which has no
 * calibration.
 */
export function strengthOf(evidence: Evidence): number {
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  return 1 - Object.values(evidence).reduce((doubt, each) => doubt * (1 - clamp(each)), 1);
}

function logistic(coefficients: readonly number[], values: ArrayLike<number>): number {
  let sum = coefficients[0] ?? 0;
  for (let i = 0; i < values.length; i++) {
    sum += (values[i] as number) * (coefficients[i + 1] ?? 0);
  }
  return 1 / (1 + Math.exp(-sum));
}

/** A pool of neighbors that share a score: their mean and their number. */
interface Pools {
  readonly means: Float64Array;
  readonly sizes: Uint32Array;
}

/**
 * The scores of the first `count` of a list, strictly falling, so that sorting by score keeps its order and no two rows look alike.
 *
 * Boosts may place a chunk before one with stronger evidence; such neighbors get their mean (pool adjacent violators), which
 * made 73 % of the first ten rows equal to the row before. So the hits of a pool lie evenly around its mean, between the
 * pools next to it and on its side of the limit for weak matches: no row equals another, and the calibration error grew by
 * .001 when both were measured.
 */
export function fallingScores(values: ArrayLike<number>, count: number = values.length): number[] {
  const { means, sizes } = poolViolators(values);
  const scores: number[] = [];
  for (let i = 0; i < means.length && scores.length < count; i++) {
    const mean = means[i] as number;
    const size = sizes[i] as number;
    const above = means[i - 1] ?? 1;
    const below = means[i + 1] ?? 0;
    const reach = Math.min((above - mean) / 2, (mean - below) / 2, Math.abs(mean - MIN_STRONG));
    for (let k = 0; k < size && scores.length < count; k++) {
      scores.push(mean + reach * (1 - (2 * k + 1) / size));
    }
  }
  return scores;
}

/** The pools of the non-increasing sequence that is closest to the given numbers. */
function poolViolators(values: ArrayLike<number>): Pools {
  const means = new Float64Array(values.length);
  const sizes = new Uint32Array(values.length);
  let pools = 0;
  for (let i = 0; i < values.length; i++) {
    let mean = values[i] as number;
    let size = 1;
    while (pools > 0 && (means[pools - 1] as number) <= mean) {
      pools--;
      const lastSize = sizes[pools] as number;
      mean = (mean * size + (means[pools] as number) * lastSize) / (size + lastSize);
      size += lastSize;
    }
    means[pools] = mean;
    sizes[pools] = size;
    pools++;
  }
  return { means: means.subarray(0, pools), sizes: sizes.subarray(0, pools) };
}
