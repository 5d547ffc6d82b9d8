/** Lowers the second and further chunks of a file, so that one file does not fill the list. */

import { type Boost, numberFiles, rescore } from "../ranking.ts";

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
    const chunks = new Uint32Array(numberFiles(hits));
    /** By file: its place among the files. */
    const ranks = new Uint32Array(chunks.length);
    let files = 0;
    for (const hit of hits) {
      const { file } = hit;
      const before = chunks[file] as number;
      chunks[file] = before + 1;
      if (before === 0) ranks[file] = files++;
      const factor = factorOf(before, ranks[file] as number);
      if (factor === 1) continue;
      rescore(hit, hit.score * factor, "saturation", `chunk ${before + 1} of the file`);
    }
    return hits;
  },
};

/** The factor of a chunk by the number of earlier chunks of the same file. */
export const usualFactor = (before: number) => DECAY ** before;

function factorInReport(before: number, rank: number): number {
  const places = MAX_PLACES_IN_REPORT[rank] ?? MAX_PLACES_IN_REPORT.at(-1) ?? 1;
  return DECAY_IN_REPORT ** before * (before < places ? 1 : BEYOND_IN_REPORT);
}
