/** Orders the files for a long question, by what their best places are and by how much of the file was found. */

import { countWords, lengthShare } from "../query/open-question.ts";
import { type Boost, byFile, rescored } from "../ranking.ts";
import { FILE_FEATURES, fileFeaturesOf } from "./file-features.ts";
import { FILE_WEIGHTS } from "./file-weights.ts";
import { comparedPlaces } from "./place-features.ts";
import { placeValue } from "./place-in-file.ts";

/**
 * The weights count in questions of more words than this, and in full from the second number on: in shorter ones, which name their
 * topic, they lose. Measured in test/ranking/natural.md.
 */
const MIN_WORDS = 9;
const FULL_WORDS = 12;

const WEIGHTS = FILE_FEATURES.map((name) => FILE_WEIGHTS[name]);

/**
 * A linear model predicts which file answers the question. It was fitted as `place-in-file` was, with the score as a given, so a file's
 * scores are multiplied by the exponential of what the model adds.
 */
export const fileOrder: Boost = {
  name: "file-order",
  readsOrder: true,
  apply: (hits, question) => {
    const strength = fileOrderStrength(question.query.text);
    const compared = strength === 0 ? undefined : comparedPlaces(hits, question);
    if (compared === undefined) return hits;
    const values = new Map<string, number>();
    for (const [path, chunks] of byFile(compared.hits)) {
      const places = chunks.map(compared.featuresOf);
      values.set(path, fileValue(places, question.fileWords.get(path) ?? 0));
    }
    const factors = fileFactors([...values.values()], strength);
    const byPath = new Map([...values.keys()].map((path, i) => [path, factors[i] ?? 1]));
    // A file that is not compared stays behind the compared ones.
    const others = Math.min(...factors);
    return hits.map((hit) =>
      rescored(hit, hit.score * (byPath.get(hit.facts.path) ?? others), "file-order"),
    );
  },
};

/** 0 for a question that is too short, 1 for a long one. */
export function fileOrderStrength(text: string): number {
  return lengthShare(countWords({ text }), MIN_WORDS, FULL_WORDS);
}

/** One factor for each value: 1 for the highest. */
export function fileFactors(values: readonly number[], strength: number): readonly number[] {
  const highest = Math.max(...values);
  return values.map((value) => Math.exp(strength * (value - highest)));
}

function fileValue(places: readonly (readonly number[])[], wordsInFile: number): number {
  const features = fileFeaturesOf(places, wordsInFile, placeValue);
  return features.reduce((sum, feature, i) => sum + feature * (WEIGHTS[i] ?? 0), 0);
}
