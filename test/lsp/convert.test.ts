/** Places: lines, positions in three encodings, and files by their URIs. */

import { describe, expect, it } from "vitest";
import {
  toLineRange,
  toPath,
  toPlaceRange,
  toRange,
  toUri,
  toUtf16,
} from "../../server/lsp/convert.ts";

/** The character of a position in the line `a\u00e4\u20ac\u{1f600}b`: one, two, three and four bytes. */
function checkUnits(encoding: string, character: number, expected: number): void {
  const at = toUtf16({ line: 3, character }, "a\u00e4\u20ac\u{1f600}b\n", encoding);
  expect(at).toEqual({ line: 3, character: expected });
}

describe("positions in UTF-16", () => {
  it("are kept for UTF-16", () => checkUnits("utf-16", 4, 4));
  it("are converted from UTF-8", () => checkUnits("utf-8", 6, 3));
  it("are converted from UTF-8 after a surrogate pair", () => checkUnits("utf-8", 10, 5));
  it("round down inside a character", () => checkUnits("utf-8", 8, 3));
  it("are converted from UTF-32", () => checkUnits("utf-32", 4, 5));
  it("are limited to the line", () => checkUnits("utf-8", 99, 7));
});

it("toRange ends at the start of the line after the last", () => {
  expect(toRange({ start: 2, end: 2 })).toEqual({
    start: { line: 2, character: 0 },
    end: { line: 3, character: 0 },
  });
});

it.each(["/a/b.py", "/with space/100%/ü/日本.py", "/quote'\"/#?.py", "/new\nline/\u{1f600}.py"])(
  "toUri and toPath round-trip %j",
  (path) => expect(toPath(toUri(path))).toBe(path),
);

it.each([
  ["file:///a%20b", "/a b"],
  ["file:///c%3A/x.py", "/c:/x.py"],
  ["untitled:Untitled-1", undefined],
  ["https://host/x", undefined],
  ["file://host/x", undefined],
  ["file:///bad%zz", undefined],
  ["file:///a%2Fb", undefined],
  ["", undefined],
  [7, undefined],
  [null, undefined],
])("toPath reads %j as %j", (uri, path) => expect(toPath(uri)).toBe(path));

it.each([
  ["utf-8", 4, 8, [11, 13]],
  ["utf-16", 2, 4, [7, 9]],
  ["utf-32", 2, 3, [6, 8]],
] as const)("counts the best line in %s", (encoding, textStart, column, [start, end]) => {
  const best = {
    line: 3,
    column: 4,
    lead: "\u00e9\u00e9",
    text: "\u{1f600} a ab",
    highlights: [[7, 9]],
  } as const;
  const found = toLineRange(best, encoding);
  expect(found.textStart).toBe(textStart);
  expect(found.range.start).toEqual({ line: 3, character: column });
  expect(found.highlights).toEqual([
    { start: { line: 3, character: start }, end: { line: 3, character: end } },
  ]);
});

it.each([
  ["utf-8", 1_010, [1_017, 1_021]],
  ["utf-16", 1_000, [1_005, 1_007]],
  ["utf-32", 990, [994, 996]],
] as const)("counts a place of a cut line in %s", (encoding, textStart, [start, end]) => {
  const before = { units: 1_000, bytes: 1_010, characters: 990 };
  const place = { line: 3, column: 1_005, length: 2, text: "\u{1f600} a \u00e9\u00e9 b", before };
  expect(toPlaceRange(place, encoding)).toEqual({
    range: { start: { line: 3, character: start }, end: { line: 3, character: end } },
    text: place.text,
    textStart,
  });
});

it("a place that is longer than the shown text ends with it", () => {
  const place = { line: 0, column: 1, length: 900, text: "abc" };
  expect(toPlaceRange(place, "utf-8").range.end).toEqual({ line: 0, character: 3 });
});
