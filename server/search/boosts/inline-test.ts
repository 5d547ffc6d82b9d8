/** Shows the code of a file before the tests in the same file. */

import { type Boost, numberFiles, type Ranked, rescore } from "../ranking.ts";

/** `mod tests` of Rust, and `test_it` beside the code. */
const INLINE_TEST = /^(?:.*(?:::|\.))?tests?(?:::|\.|$)|(?:^|::|\.)test_[^:.]*$/;

const ASKED = /^(?:tests?|testing|tested|assert\w*)$/;

/**
 * Puts inline tests below the implementation: a test that ranks first in its file swaps places with the best chunk of code.
 * Lowering the test instead would lower the file, and the test is good evidence for the file (-.003 on commit subjects).
 */
export const inlineTest: Boost = {
  name: "inline-test",
  readsOrder: true,
  apply: (hits, { query }) => {
    if (query.plainWords.some((word) => ASKED.test(word))) return hits;
    numberFiles(hits);
    const best: Ranked[] = [];
    const code: Ranked[] = [];
    for (const hit of hits) {
      best[hit.file] ??= hit;
      if (code[hit.file] === undefined && !isInlineTest(hit)) code[hit.file] = hit;
    }
    for (const first of best) {
      const other = code[first.file];
      if (other === undefined || other === first) continue;
      const { score } = first;
      rescore(first, other.score, "inline-test", "code before its tests");
      rescore(other, score, "inline-test", "code before its tests");
    }
    return hits;
  },
};

function isInlineTest({ facts }: Ranked): boolean {
  const { category, symbols } = facts;
  if (category === "test" || symbols.length === 0) return false;
  return symbols.every(({ name }) => INLINE_TEST.test(name));
}
