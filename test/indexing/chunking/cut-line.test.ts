/** Cuts of one long line. */

import { expect, it } from "vitest";
import { toPage } from "../../../server/indexing/chunking/chunk-page.ts";
import { cutLine } from "../../../server/indexing/chunking/cut-line.ts";

function check(text: string, size: number, expected: readonly string[]): void {
  const pieces = cutLine(toPage(text), { start: 0, end: text.length }, size);
  expect(pieces.map(({ start, end }) => text.slice(start, end))).toEqual(expected);
}

it("A line that fits is not cut", () => check("abcdefghij", 10, ["abcdefghij"]));
it("A line is cut after the last separator in the last third of a piece", () =>
  check("abcdefg,hijk", 10, ["abcdefg,", "hijk"]));
it("A line without a separator near the end is cut in a word", () =>
  check("abcdef,hijklm", 10, ["abcdef,hij", "klm"]));
it("The share for separators is that of a piece, not of the line", () =>
  check("aaaaaaaaaabcd,efghijklm", 10, ["aaaaaaaaaa", "bcd,efghij", "klm"]));
it("A surrogate pair is never cut", () => check("aaa😀b", 4, ["aaa", "😀", "b"]));
it("The size is in UTF-8 bytes", () => check("ääääää", 4, ["ää", "ää", "ää"]));
it("A piece has at least one character", () => check("😀😀", 1, ["😀", "😀"]));
