/** Slips of the finger, counted. */

import { describe, expect, it } from "vitest";
import { editsBetween, lettersOf, mayBeWithin } from "../../server/common/edit-distance.ts";

describe("edits", () => {
  it.each([
    ["", "", 0],
    ["parser", "parser", 0],
    ["parsr", "parser", 1],
    ["parseer", "parser", 1],
    ["parzer", "parser", 1],
    ["praser", "parser", 1],
    ["parsre", "parser", 1],
    ["prasre", "parser", 2],
    ["connecton_pol", "connection_pool", 2],
  ])("%j and %j differ by %i", (a, b, edits) => {
    expect(editsBetween(a, b, 2)).toBe(edits);
    expect(editsBetween(b, a, 2)).toBe(edits);
    expect(mayBeWithin(lettersOf(a), lettersOf(b), edits, b.length - a.length)).toBe(true);
  });

  it("are too many for words of other letters", () => {
    expect(mayBeWithin(lettersOf("parser"), lettersOf("gzip"), 2, -2)).toBe(false);
    expect(mayBeWithin(lettersOf("straße"), lettersOf("Ωmega"), 2, -1)).toBe(false);
  });

  it.each([
    ["parser", "lexer", 2],
    ["parser", "parse", 0],
    ["abcdef", "fedcba", 2],
    ["a", "abcd", 2],
  ])("%j and %j differ by more than %i", (a, b, most) =>
    expect(editsBetween(a, b, most)).toBeUndefined(),
  );
});
