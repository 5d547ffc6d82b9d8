/** Orders the files for a long question, by what their best places are and by how much of the file was found. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { countWords, lengthShare } from "../query/open-question.ts";
import { type Boost, numberFiles, rescore } from "../ranking.ts";
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
    const byFile = new Float64Array(numberFiles(hits));
    const files = new Map<number, ComparedFile>();
    for (const hit of compared.hits) {
      const { path } = hit.facts;
      const { places } = getOrCreate(files, hit.file, () => ({ path, places: [] }));
      places.push(compared.featuresOf(hit));
    }
    const values = Array.from(files.values(), ({ path, places }) =>
      fileValue(places, question.fileWords.get(path) ?? 0),
    );
    const factors = fileFactors(values, strength);
    // A file that is not compared stays behind the compared ones.
    byFile.fill(Math.min(...factors));
    for (const [i, file] of [...files.keys()].entries()) byFile[file] = factors[i] as number;
    for (const hit of hits) rescore(hit, hit.score * (byFile[hit.file] as number), "file-order");
    return hits;
  },
};

/** With the features of its compared places. */
interface ComparedFile {
  readonly path: string;
  readonly places: (readonly number[])[];
}

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
