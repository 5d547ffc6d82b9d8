/** Multi-pattern search finds the same strings as separate searches. */

import { describe, expect, it } from "vitest";
import { createRandom } from "../../../scripts/evaluation/random.ts";
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
    const random = createRandom(7);
    const parts = [
      "gh",
      "p_",
      ":",
      "//",
      "-u",
      "s",
      "ey",
      "J",
      "a",
      "b",
      "_live",
      "_",
      "ä",
      "\u0131",
      " ",
    ];
    for (let round = 0; round < 500; round++) {
      const text = Array.from(
        { length: 12 },
        () => parts[Math.floor(random() * parts.length)],
      ).join("");
      const oneByOne = HINTS.filter((hint) => text.includes(hint));
      expect([...finder.find(text)].toSorted()).toEqual(oneByOne.toSorted());
    }
  });

  it.each([
    ["of two lengths", ["live_", "://x", "machine ", "-use"]],
    ["of two letters", HINTS],
    ["of one length", ["eyJa", "abab", "baba"]],
  ])("`HintSkipper` finds %s in bytes as in text", (_, hints) => {
    const skipper = new HintSkipper(hints);
    const random = createRandom(11);
    const pieces = [...hints.flatMap((hint) => [hint.slice(0, 3), hint.slice(3)]), "ä", " "];
    let found = 0;
    for (let round = 0; round < 2000; round++) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * 8) },
        () => pieces[Math.floor(random() * pieces.length)],
      ).join("");
      const isIn = hints.filter((hint) => text.includes(hint));
      expect([...skipper.find(Buffer.from(text))].toSorted()).toEqual(
        [...new Set(isIn)].toSorted(),
      );
      if (isIn.length > 0) found++;
    }
    expect(found).toBeGreaterThan(100);
    expect(found).toBeLessThan(2000);
  });
});
