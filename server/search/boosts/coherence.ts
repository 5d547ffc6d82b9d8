/** Lifts the best chunk of a file with several matching chunks: such a file is about the question. */

import { type Boost, highest, numberFiles, type Ranked, rescore } from "../ranking.ts";

/** The gain of the file with the largest sum, as a share of the best score. */
const WEIGHT = 0.2;

export const coherence: Boost = {
  name: "coherence",
  readsOrder: true,
  apply: (hits) => {
    const count = numberFiles(hits);
    const sums = new Float64Array(count);
    const chunks = new Uint32Array(count);
    const best: Ranked[] = [];
    for (let i = 0; i < hits.length; i++) {
      const hit = hits[i] as Ranked;
      const { file } = hit;
      sums[file] = (sums[file] as number) + hit.score;
      chunks[file] = (chunks[file] as number) + 1;
      const other = best[file];
      if (other === undefined || hit.score > other.score) best[file] = hit;
    }
    const unit = (WEIGHT * highest(hits)) / Math.max(Number.MIN_VALUE, ...sums);
    for (const hit of best) {
      const gain = unit * (sums[hit.file] as number);
      rescore(hit, hit.score + gain, "coherence", `${chunks[hit.file]} chunks of the file`);
    }
    return hits;
  },
};
