/** Lowers the second and further chunks of a file, so that one file does not fill the list. */

import { type Boost, rescored, sortByScore } from "../ranking.ts";

/** What each further chunk of a file keeps of its score. 0.5 loses .001 on commit subjects; 0.3 gains as little. */
const DECAY = 0.4;

export const saturation: Boost = {
  name: "saturation",
  apply: (hits) => {
    const seen = new Map<string, number>();
    return sortByScore(hits).map((hit) => {
      const before = seen.get(hit.facts.path) ?? 0;
      seen.set(hit.facts.path, before + 1);
      return rescored(
        hit,
        hit.score * DECAY ** before,
        "saturation",
        `chunk ${before + 1} of the file`,
      );
    });
  },
};
