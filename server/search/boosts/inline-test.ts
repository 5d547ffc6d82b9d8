/** Shows the code of a file before the tests in the same file. */

import { type Boost, byFile, type Ranked, rescored } from "../ranking.ts";

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
    const scores = new Map<number, number>();
    for (const file of byFile(hits).values()) {
      const [best] = file;
      const code = file.find((hit) => !isInlineTest(hit));
      if (best === undefined || code === undefined || code === best) continue;
      scores.set(best.chunk, code.score).set(code.chunk, best.score);
    }
    if (scores.size === 0) return hits;
    return hits.map((hit) =>
      rescored(hit, scores.get(hit.chunk) ?? hit.score, "inline-test", "code before its tests"),
    );
  },
};

function isInlineTest({ facts }: Ranked): boolean {
  const { category, symbols } = facts;
  if (category === "test" || symbols.length === 0) return false;
  return symbols.every(({ name }) => INLINE_TEST.test(name));
}
