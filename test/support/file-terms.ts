/** Term counts of a file in a form that tests compare. */

import { COUNT_BITS, type FileTerms, MAX_COUNT } from "../../server/contracts/file-terms.ts";

/** For each chunk its length, and the counts of its terms by their text. */
export function textsOf({ bytes, ends, countEnds, counts, lengths }: FileTerms) {
  const texts = Array.from(ends, (end, i) =>
    Buffer.from(bytes.subarray(i === 0 ? 0 : ends[i - 1], end)).toString(),
  );
  return Array.from(countEnds, (end, i) => {
    const own = [...counts.subarray(i === 0 ? 0 : countEnds[i - 1], end)];
    return {
      length: lengths[i],
      terms: own
        .map((counted): [string, number] => [
          texts[counted >>> COUNT_BITS] ?? "",
          counted & MAX_COUNT,
        ])
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    };
  });
}
