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
    for (const [, chunks] of byFile(compared.hits)) {
      if (chunks.length === 1) continue;
      const values = new Map(chunks.map((hit) => [hit, placeValue(compared.featuresOf(hit))]));
      const ordered = chunks.toSorted((a, b) => (values.get(b) ?? 0) - (values.get(a) ?? 0));
      for (const [i, hit] of ordered.entries()) {
        const { score, evidence, ranks } = chunks[i] as Ranked;
        const detail = `place ${i + 1} of ${chunks.length} in the file`;
        const placed = rescored(hit, score, "place-in-file", detail);
        if (placed !== hit) changed.set(hit, { ...placed, standsFor: { evidence, ranks } });
      }
    }
    return hits.map((hit) => changed.get(hit) ?? hit);
  },
};

/** Grows with the likelihood that a chunk answers the question, for comparison with other chunks of its file. */
function placeValue(features: readonly number[]): number {
  return features.reduce((sum, feature, i) => sum + feature * (WEIGHTS[i] ?? 0), 0);
}
