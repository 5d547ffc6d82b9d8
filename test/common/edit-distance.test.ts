/** Edit distances of words with typos. */

import { describe, expect, it } from "vitest";
import { editsBetween, lettersOf, mayBeWithin } from "../../server/common/edit-distance.ts";

describe("editsBetween", () => {
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
  ])("counts %j to %j as %i", (a, b, edits) => {
    expect(editsBetween(a, b, 2)).toBe(edits);
    expect(editsBetween(b, a, 2)).toBe(edits);
    expect(mayBeWithin(lettersOf(a), lettersOf(b), edits, b.length - a.length)).toBe(true);
  });

  it("mayBeWithin rejects words with other letters", () => {
    expect(mayBeWithin(lettersOf("parser"), lettersOf("gzip"), 2, -2)).toBe(false);
    expect(mayBeWithin(lettersOf("straße"), lettersOf("Ωmega"), 2, -1)).toBe(false);
  });

  it.each([
    ["parser", "lexer", 2],
    ["parser", "parse", 0],
    ["abcdef", "fedcba", 2],
    ["a", "abcd", 2],
  ])("finds %j and %j more than %i edits apart", (a, b, most) =>
    expect(editsBetween(a, b, most)).toBeUndefined(),
  );
});
