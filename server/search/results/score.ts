/** The score that a user sees: the probability that a hit is right, as measured; it never rises down the list. */

import type { Relevance } from "../../contracts/model.ts";
import type { Evidence } from "../ranking.ts";
import { FEATURE_NAMES, type Features, LIST_FEATURES } from "./features.ts";
import { SCORE_MODELS } from "./score-model.ts";

/** Which lanes answered; the evidence of each has its own coefficients. */
export type ScoreMode = keyof typeof SCORE_MODELS;

/**
 * Below this a hit is a weak match. Half of the first ten hits are, and 14 % of the right ones; with .15 it is two thirds
 * and 24 %.
 */
const MIN_STRONG = 0.1;

/** The probability that a hit is right, by its own evidence. */
export function probabilityOf(features: Features, mode: ScoreMode): number {
  return logistic(
    SCORE_MODELS[mode].score,
    FEATURE_NAMES.map((name) => features[name]),
  );
}

/** Whether a list is one that questions about other repositories get, too. */
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
 * How strongly the lanes say that code is alike, as independent witnesses: 1 - (1 - a)(1 - b)(1 - c). For lists that no
 * question was measured for.
 */
export function strengthOf(evidence: Evidence): number {
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  return 1 - Object.values(evidence).reduce((doubt, each) => doubt * (1 - clamp(each)), 1);
}

function logistic(coefficients: readonly number[], values: readonly number[]): number {
  const [intercept = 0, ...factors] = coefficients;
  const sum = values.reduce((total, value, i) => total + value * (factors[i] ?? 0), intercept);
  return 1 / (1 + Math.exp(-sum));
}

/**
 * The non-increasing sequence that is closest to the given numbers.
 *
 * Boosts may place a chunk before one with stronger evidence; such neighbors share their mean (pool adjacent violators), so
 * that sorting by score keeps the order of the list.
 */
export function monotone(values: readonly number[]): number[] {
  const pools: { sum: number; size: number }[] = [];
  for (const value of values) {
    let pool = { sum: value, size: 1 };
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
  return pools.flatMap(({ sum, size }) => Array.from({ length: size }, () => sum / size));
}
