/** A text is found where `indexOf` finds it, for any of its characters that is looked for. */

import { expect, it } from "vitest";
import { textFinder } from "../../../server/search/occurrences/find-text.ts";
import { forAllRandom } from "../../support/random.ts";

it("The next place is that of indexOf, from any index on", async () => {
  let found = 0;
  await forAllRandom({ seed: 54, numRuns: 2_000 }, ({ int, pick }) => {
    const units = ["e", " ", "q", "~", "é", "\n"];
    const draw = (length: number) => Array.from({ length }, () => pick(units)).join("");
    const [whole, text, from] = [draw(int(60)), draw(1 + int(4)), int(5)];
    const expected = whole.indexOf(text, from);
    expect([whole, text, from, textFinder(text).next(whole, from)]).toEqual([
      whole,
      text,
      from,
      expected,
    ]);
    if (expected >= 0) found++;
  });
  expect(found).toBeGreaterThan(400);
});
