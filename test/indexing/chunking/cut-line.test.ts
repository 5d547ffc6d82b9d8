/** Where one long line is cut. */

import { expect, it } from "vitest";
import { toPage } from "../../../server/indexing/chunking/chunk-page.ts";
import { cutLine } from "../../../server/indexing/chunking/cut-line.ts";

function check(text: string, size: number, expected: readonly string[]): void {
  const pieces = cutLine(toPage(text), { start: 0, end: text.length }, size);
  expect(pieces.map(({ start, end }) => text.slice(start, end))).toEqual(expected);
}

it("leaves what fits as it is", () => check("abcdefghij", 10, ["abcdefghij"]));
it("cuts after the last separator of the last third", () =>
  check("abcdefg,hijk", 10, ["abcdefg,", "hijk"]));
it("cuts in a word where the last separator is further away", () =>
  check("abcdef,hijklm", 10, ["abcdef,hij", "klm"]));
it("cuts between the two halves of no character", () => check("aaa😀b", 4, ["aaa", "😀", "b"]));
it("counts bytes", () => check("ääääää", 4, ["ää", "ää", "ää"]));
it("cuts at least a character, however small the size is", () => check("😀😀", 1, ["😀", "😀"]));
