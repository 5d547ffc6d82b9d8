/** Lifts the best chunk of a file with several matching chunks: such a file is about the question. */

import { type Boost, byFile, highest, type Ranked, rescored } from "../ranking.ts";

/** The gain of the file with the largest sum, as a share of the best score. */
const WEIGHT = 0.2;

export const coherence: Boost = {
  name: "coherence",
  readsOrder: true,
  apply: (hits) => {
    const files = [...byFile(hits).values()];
    const sums = files.map(sumOfScores);
    const unit = (WEIGHT * highest(hits)) / Math.max(Number.MIN_VALUE, ...sums);
    const gains = new Map(
      files.map((file, i) => {
        const best = file.reduce((a, b) => (b.score > a.score ? b : a));
        return [best.chunk, { gain: unit * (sums[i] ?? 0), chunks: file.length }];
      }),
    );
    return hits.map((hit) => {
      const found = gains.get(hit.chunk);
      if (found === undefined) return hit;
      return rescored(
        hit,
        hit.score + found.gain,
        "coherence",
        `${found.chunks} chunks of the file`,
      );
    });
  },
};

function sumOfScores(hits: readonly Ranked[]): number {
  let sum = 0;
  for (const { score } of hits) sum += score;
  return sum;
}
