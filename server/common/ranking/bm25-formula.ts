/** The formula of Okapi BM25, for the keyword lane over chunks and for the lanes over commits. */

/** Term saturation: how soon repeating a word stops raising the score. Lucene and Robertson's experiments use 1.2 to 1.5. */
export const K1 = 1.5;

/** Length normalization, 0 to 1: how much the score of a long document is lowered. */
export const B = 0.75;

/** Lucene's inverse document frequency, which is never negative. */
export function inverseFrequency(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** The score of one term in one document, from 0 to below `weight`, which is the score of endless occurrences. */
export function termScore(
  weight: number,
  occurrences: number,
  length: number,
  averageLength: number,
): number {
  return saturated(weight, occurrences, saturationOf(length, averageLength));
}

/** The same, by the saturation of the document's length. */
export function saturated(weight: number, occurrences: number, saturation: number): number {
  return (weight * occurrences) / (saturation + occurrences);
}

/** The number of occurrences that score half of the weight of a term. */
export function saturationOf(length: number, averageLength: number): number {
  return K1 * (1 - B + (B * length) / averageLength);
}
