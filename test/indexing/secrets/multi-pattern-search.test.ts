/** Multi-pattern search finds the same strings as separate searches. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HintFinder, HintSkipper } from "../../../server/indexing/secrets/multi-pattern-search.ts";

const HINTS = ["gh", "ghp_", "://", "-us", "eyJ", "_live_", "machine ", "key-", "aa", "aab"];

describe("hints", () => {
  it.each([
    ["at the beginning", "ghp_x", ["gh", "ghp_"]],
    ["at the end", "see http://", ["://"]],
    ["one within another", "aab", ["aa", "aab"]],
    ["behind its own beginning", "eyeyJ", ["eyJ"]],
    ["beside letters that are not ASCII", "ä://ö", ["://"]],
    ["none in an empty text", "", []],
    ["none in half of one", "e", []],
  ])("`HintFinder` finds hints %s", (_, text, found) => {
    expect([...new HintFinder(HINTS).find(text)].toSorted()).toEqual(found.toSorted());
  });

  it("`HintFinder` finds the same hints as separate searches", () => {
    const finder = new HintFinder(HINTS);
    const parts = "gh|p_|:|//|-u|s|ey|J|a|b|_live|_|ä|\u0131| ".split("|");
    const text = fc.string({ unit: fc.constantFrom(...parts), maxLength: 12 });
    const isSame = fc.property(text, (one) => {
      const oneByOne = HINTS.filter((hint) => one.includes(hint));
      expect([...finder.find(one)].toSorted()).toEqual(oneByOne.toSorted());
    });
    fc.assert(isSame, { seed: 7, numRuns: 500 });
  });

  it.each([
    ["of two lengths", ["live_", "://x", "machine ", "-use"]],
    ["of two letters", HINTS],
    ["of one length", ["eyJa", "abab", "baba"]],
  ])("`HintSkipper` finds %s in bytes as in text", (_, hints) => {
    const skipper = new HintSkipper(hints);
    const pieces = [...hints.flatMap((hint) => [hint.slice(0, 3), hint.slice(3)]), "ä", " "];
    const unit = fc.constantFrom(...pieces);
    let found = 0;
    const isSame = fc.property(fc.string({ unit, minLength: 1, maxLength: 8 }), (text) => {
      const isIn = hints.filter((hint) => text.includes(hint));
      expect([...skipper.find(Buffer.from(text))].toSorted()).toEqual(
        [...new Set(isIn)].toSorted(),
      );
      if (isIn.length > 0) found++;
    });
    fc.assert(isSame, { seed: 11, numRuns: 2000 });
    expect(found).toBeGreaterThan(100);
    expect(found).toBeLessThan(2000);
  });
});
