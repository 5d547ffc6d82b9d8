/** Lines and byte offsets in a text, compared with the counts of Node. */

import { expect, it } from "vitest";
import {
  byteOffsetsOf,
  lineAt,
  lineStartsOf,
  splitLines,
  wholeCharacter,
  withLineFeeds,
} from "../../server/common/text.ts";

function checkBytes(text: string): void {
  const bytesAt = byteOffsetsOf(text);
  for (let offset = 0; offset <= text.length; offset++) {
    if (wholeCharacter(text, offset) !== offset) continue;
    expect(bytesAt(offset)).toBe(Buffer.byteLength(text.slice(0, offset)));
  }
}

it("byteOffsetsOf counts bytes of ASCII", () => checkBytes("const a = 1;\n"));
it("byteOffsetsOf counts two, three and four bytes per character", () => checkBytes("aé漢🎉z"));
it("byteOffsetsOf counts lone surrogates as a replacement character", () =>
  checkBytes("a\ud83cb\udf89c"));
it("byteOffsetsOf counts across the entries of its table", () => checkBytes("é🎉 ".repeat(300)));
it("byteOffsetsOf counts to the end of a text that fills its table exactly", () =>
  checkBytes("é".repeat(512)));
it("byteOffsetsOf counts in an empty text", () => checkBytes(""));

it("lineAt finds the line of every offset, with LF and CRLF", () => {
  const text = "one\r\ntwo\n\nfour";
  const starts = lineStartsOf(text);
  expect(starts).toEqual([0, 5, 9, 10]);
  const lines = Array.from(text, (_, offset) => lineAt(starts, offset));
  expect(lines.join("")).toBe("00000111123333");
});

it.each([
  "",
  "one\ntwo\n",
  "one\r\ntwo\r\n",
  "one\rtwo\r",
  "one\r\r\ntwo\r\r\n",
  "\r\n\r\r\n\n\rend",
])("withLineFeeds keeps the lines and offsets of %j", (text) => {
  const starts = lineStartsOf(withLineFeeds(text));
  const begun = starts.map((start, i) => text.slice(start, starts[i + 1]).replace(/[\r\n]+$/, ""));
  expect(begun).toEqual(splitLines(text));
});
