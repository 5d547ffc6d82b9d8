/** Orders the chunks of each file for a question: the place that answers it is a function more often than the head of a class. */

import { type Boost, byFile, type Ranked, rescored } from "../ranking.ts";
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
    const changed = new Map<Ranked, Ranked>();
    for (const chunks of byFile(compared.hits).values()) {
      if (chunks.length === 1) continue;
      const values = chunks.map((hit) => placeValue(compared.featuresOf(hit)));
      const order = values.map((_, at) => at);
      order.sort((a, b) => (values[b] as number) - (values[a] as number));
      for (let i = 0; i < order.length; i++) {
        const hit = chunks[order[i] as number] as Ranked;
        const { score, evidence, ranks } = chunks[i] as Ranked;
        if (hit.score === score) continue;
        const detail = `place ${i + 1} of ${chunks.length} in the file`;
        changed.set(hit, rescored(hit, score, "place-in-file", detail, { evidence, ranks }));
      }
    }
    return changed.size === 0 ? hits : hits.map((hit) => changed.get(hit) ?? hit);
  },
};

/** Grows with the likelihood that a chunk answers the question, for comparison with other chunks of its file. */
export function placeValue(features: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < features.length; i++) sum += (features[i] as number) * (WEIGHTS[i] as number);
  return sum;
}
