/** Lowers the second and further chunks of a file, so that one file does not fill the list. */

import { type Boost, rescored, sortByScore } from "../ranking.ts";

/** What each further chunk of a file keeps of its score. 0.5 loses .001 on commit subjects; 0.3 gains as little. */
const DECAY = 0.4;
/** For a bug report: it is fixed in one file, and the second place there is as likely as the first of the next file. */
const DECAY_IN_REPORT = 0.8;

export const saturation: Boost = {
  name: "saturation",
  apply: (hits, { query }) => {
    const decay = query.report === undefined ? DECAY : DECAY_IN_REPORT;
    const seen = new Map<string, number>();
    return sortByScore(hits).map((hit) => {
      const before = seen.get(hit.facts.path) ?? 0;
      seen.set(hit.facts.path, before + 1);
      return rescored(
        hit,
        hit.score * decay ** before,
        "saturation",
        `chunk ${before + 1} of the file`,
      );
    });
  },
};
