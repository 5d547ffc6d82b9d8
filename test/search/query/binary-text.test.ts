/** The distinction between text and binary data. */

import { expect, it } from "vitest";
import { isBinaryText } from "../../../server/search/query/binary-text.ts";

/** A text of one hundred characters with the given number of these. */
const share = (count: number, char: string) => char.repeat(count) + "a".repeat(100 - count);

it.each([" ", "\t", "\n", "\r", "\u001b", "~", "\u00a0", "ä"])("takes any share of %j", (char) =>
  expect(isBinaryText(share(100, char))).toBe(false),
);

it.each(["\0", "\u0008", "\u000e", "\u001f", "\u007f", "\u009f", "\ufffd"])(
  "takes a text with some %j, and no more than that",
  (char) => {
    expect(isBinaryText(share(15, char))).toBe(false);
    expect(isBinaryText(share(16, char))).toBe(true);
  },
);

it("judges by the beginning, and an empty text is one", () => {
  expect(isBinaryText("")).toBe(false);
  expect(isBinaryText(`${"a".repeat(10_000)}${"\0".repeat(10_000)}`)).toBe(false);
  expect(isBinaryText("\0".repeat(10_000) + "a".repeat(90_000))).toBe(true);
});
