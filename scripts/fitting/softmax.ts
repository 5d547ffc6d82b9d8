/** Fits a linear model of choices: of some alternatives, which one is right. Softmax over the alternatives, with a ridge. */

import { solve } from "../calibration/regression.ts";

export interface Alternative {
  readonly features: readonly number[];
  readonly isRight: boolean;
}

/** For standardized features. Between 3 and 30, held out questions gain the same. */
const RIDGE = 10;
const MAX_ROUNDS = 200;
const TOLERANCE = 1e-6;

/**
 * Returns a weight for each feature: the likelihood that any of the right alternatives of each choice is taken is the
 * highest, less the ridge. Choices without a right or without a wrong alternative have no say.
 */
export function fitChoices(choices: readonly (readonly Alternative[])[]): number[] {
  const spreads = spreadsOf(choices.flat().map(({ features }) => features));
  const open = choices
    .filter((each) => each.some(({ isRight }) => isRight) && each.some(({ isRight }) => !isRight))
    .map((each) =>
      each.map(({ features, isRight }) => ({
        features: features.map((value, i) => value / (spreads[i] as number)),
        isRight,
      })),
    );
  let weights = spreads.map(() => 0);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const step = stepFrom(weights, open);
    weights = weights.map((weight, i) => weight + (step[i] as number));
    if (Math.max(...step.map(Math.abs)) < TOLERANCE) break;
  }
  return weights.map((weight, i) => weight / (spreads[i] as number));
}

/** The standard deviation of each feature; 1 for a constant one, whose weight stays 0. */
function spreadsOf(rows: readonly (readonly number[])[]): number[] {
  return (rows[0] ?? []).map((_, i) => {
    const values = rows.map((row) => row[i] as number);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return Math.sqrt(squares / values.length) || 1;
  });
}

/**
 * A Newton step of the convex bound that keeps the present share of each right alternative among the right ones, as
 * expectation maximization does: with the whole second derivative, steps may lead away from the maximum.
 */
function stepFrom(
  weights: readonly number[],
  choices: readonly (readonly Alternative[])[],
): number[] {
  const size = weights.length;
  const gradient = Float64Array.from(weights, (weight) => -RIDGE * weight);
  const curvature = weights.map((_, i) => {
    const row = new Float64Array(size);
    row[i] = RIDGE;
    return row;
  });
  for (const alternatives of choices) {
    const shares = softmax(alternatives.map(({ features }) => dot(weights, features)));
    const right = alternatives.reduce(
      (sum, { isRight }, i) => sum + (isRight ? (shares[i] as number) : 0),
      0,
    );
    const mean = new Float64Array(size);
    for (const [at, { features, isRight }] of alternatives.entries()) {
      const share = shares[at] as number;
      const surplus = (isRight ? share / Math.max(right, 1e-12) : 0) - share;
      for (let i = 0; i < size; i++) {
        const value = features[i] as number;
        mean[i] = (mean[i] as number) + share * value;
        gradient[i] = (gradient[i] as number) + surplus * value;
        const row = curvature[i] as Float64Array;
        for (let j = 0; j < size; j++)
          row[j] = (row[j] as number) + share * value * (features[j] as number);
      }
    }
    for (const [i, row] of curvature.entries())
      for (let j = 0; j < size; j++)
        row[j] = (row[j] as number) - (mean[i] as number) * (mean[j] as number);
  }
  return solve(curvature, gradient);
}

function softmax(values: readonly number[]): number[] {
  const highest = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - highest));
  const sum = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / sum);
}

export function dot(weights: readonly number[], features: readonly number[]): number {
  let sum = 0;
  for (const [i, weight] of weights.entries()) sum += weight * (features[i] as number);
  return sum;
}
