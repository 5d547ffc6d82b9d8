/** Orders the chunks of each file for a question: the place that answers it is a function more often than the head of a class. */

import { type Boost, numberFiles, type Ranked, rescore } from "../ranking.ts";
import { comparedPlaces, PLACE_FEATURES } from "./place-features.ts";
import { PLACE_WEIGHTS } from "./place-weights.ts";

const WEIGHTS = PLACE_FEATURES.map((name) => PLACE_WEIGHTS[name]);

/**
 * A linear model predicts which chunk of a right file answers the question. Its weights are fitted to the questions of
 * test/ranking/questions, which are about repositories that no other set of questions here is about; the figures are in
 * test/ranking/natural.md.
 */
export const placeInFile: Boost = {
  name: "place-in-file",
  readsOrder: true,
  apply: (hits, question) => {
    const compared = comparedPlaces(hits, question);
    if (compared === undefined) return hits;
    const chunksIn = new Uint32Array(numberFiles(hits));
    for (const { file } of compared.hits) chunksIn[file] = (chunksIn[file] as number) + 1;
    for (const [file, count] of chunksIn.entries()) {
      if (count < 2) continue;
      const chunks = compared.hits.filter((hit) => hit.file === file);
      orderChunks(chunks, compared.featuresOf);
    }
    return hits;
  },
};

/** Gives the best chunk of a file the best of their scores, and so on. */
function orderChunks(
  chunks: readonly Ranked[],
  featuresOf: (hit: Ranked) => readonly number[],
): void {
  const scores = chunks.map(({ score }) => score);
  const values = chunks.map((hit) => placeValue(featuresOf(hit)));
  const order = values.map((_, at) => at);
  order.sort((a, b) => (values[b] as number) - (values[a] as number));
  for (let i = 0; i < order.length; i++) {
    const hit = chunks[order[i] as number] as Ranked;
    const score = scores[i] as number;
    if (hit.score === score) continue;
    rescore(hit, score, "place-in-file", `place ${i + 1} of ${chunks.length} in the file`);
    const { evidence, ranks } = chunks[i] as Ranked;
    hit.standsFor = { evidence, ranks };
  }
}

/** Grows with the likelihood that a chunk answers the question, for comparison with other chunks of its file. */
export function placeValue(features: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < features.length; i++) sum += (features[i] as number) * (WEIGHTS[i] as number);
  return sum;
}
