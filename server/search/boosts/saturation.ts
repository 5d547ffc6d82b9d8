/** Lowers the second and further chunks of a file, so that one file does not fill the list. */

import { type Boost, rescored } from "../ranking.ts";

/** The factor for each further chunk of a file. 0.5 loses .001 on commit subjects; 0.3 gains as little. */
const DECAY = 0.4;
/**
 * For a bug report: it is fixed in one file, and a further place there is as likely as the first of the next file. With .8
 * function Acc@5 is 3 to 5 points less, file Acc is the same.
 */
const DECAY_IN_REPORT = 0.95;
/**
 * Places of the first file of the list, of the second, and so on; further ones leave room for the next files. Five of the
 * first lose 2 to 3 points of function Acc@10, any number of each one of file Acc@5.
 */
const MAX_PLACES_IN_REPORT = [6, 3, 2, 1];
const BEYOND_IN_REPORT = 0.3;

export const saturation: Boost = {
  name: "saturation",
  readsOrder: true,
  apply: (hits, { query }) => {
    const factorOf = query.report === undefined ? usualFactor : factorInReport;
    const files = new Map<string, { readonly rank: number; chunks: number }>();
    return hits.map((hit) => {
      const { path } = hit.facts;
      const file = files.get(path) ?? { rank: files.size, chunks: 0 };
      files.set(path, file);
      const factor = factorOf(file.chunks, file.rank);
      file.chunks++;
      if (factor === 1) return hit;
      return rescored(hit, hit.score * factor, "saturation", `chunk ${file.chunks} of the file`);
    });
  },
};

/** The factor of a chunk by the number of earlier chunks of the same file. */
export const usualFactor = (before: number) => DECAY ** before;

function factorInReport(before: number, rank: number): number {
  const places = MAX_PLACES_IN_REPORT[rank] ?? MAX_PLACES_IN_REPORT.at(-1) ?? 1;
  return DECAY_IN_REPORT ** before * (before < places ? 1 : BEYOND_IN_REPORT);
}
