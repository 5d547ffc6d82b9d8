/** Lowers the second and further chunks of a file, so that one file does not fill the list. */

import { type Boost, rescored, sortByScore } from "../ranking.ts";

/** What each further chunk of a file keeps of its score. 0.5 loses .001 on commit subjects; 0.3 gains as little. */
const DECAY = 0.4;
/**
 * For a bug report: it is fixed in one file, and a further place there is as likely as the first of the next file. With .8
 * function Acc@5 is 3 points less, file Acc is the same.
 */
const DECAY_IN_REPORT = 0.9;
/** More places than this of one file leave no room for the next files. */
const MAX_PLACES_IN_REPORT = 4;
const BEYOND_IN_REPORT = 0.3;

export const saturation: Boost = {
  name: "saturation",
  apply: (hits, { query }) => {
    const factorOf = query.report === undefined ? usualFactor : factorInReport;
    const seen = new Map<string, number>();
    return sortByScore(hits).map((hit) => {
      const before = seen.get(hit.facts.path) ?? 0;
      seen.set(hit.facts.path, before + 1);
      return rescored(
        hit,
        hit.score * factorOf(before),
        "saturation",
        `chunk ${before + 1} of the file`,
      );
    });
  },
};

const usualFactor = (before: number) => DECAY ** before;

const factorInReport = (before: number) =>
  DECAY_IN_REPORT ** before * (before < MAX_PLACES_IN_REPORT ? 1 : BEYOND_IN_REPORT);
