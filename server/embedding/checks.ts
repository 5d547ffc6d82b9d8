/** Checks the vectors of an answer before they are compared or stored. */

import { Unavailable } from "../common/errors.ts";

export const NO_EMBEDDINGS = "check that its model is one for embeddings";

/**
 * One vector per text, all of one dimension, finite, not zero; normalized to length 1.
 * Throws Unavailable, which names the provider and the defect of its answer.
 */
export function checkedVectors(
  answer: readonly unknown[],
  count: number,
  dimension: number | undefined,
  provider: string,
): Float32Array[] {
  const wrong = (what: string) => new Unavailable(`${provider} answered ${what}`, NO_EMBEDDINGS);
  if (answer.length !== count) throw wrong(`${answer.length} vectors for ${count} texts`);
  let expected = dimension;
  return answer.map((numbers: unknown) => {
    if (!Array.isArray(numbers) || numbers.length === 0)
      throw wrong("something that is not a vector");
    expected ??= numbers.length;
    if (numbers.length !== expected) {
      throw wrong(`a vector of ${numbers.length} dimensions where ${expected} were expected`);
    }
    const length = Math.sqrt(numbers.reduce((sum: number, value) => sum + Number(value) ** 2, 0));
    // Also catches numbers that are finite themselves, but have no finite square.
    if (!numbers.every((value) => typeof value === "number") || !Number.isFinite(length)) {
      throw wrong("a vector with a number that is not finite");
    }
    if (length === 0) throw wrong("a vector that is all zero");
    return Float32Array.from(numbers, (value) => value / length);
  });
}
