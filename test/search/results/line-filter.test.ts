/** Which lines of a chunk are looked at word by word. */

import { describe, expect, it } from "vitest";
import { termsOf } from "../../../server/search/query/stem.ts";
import { lineFilterOf } from "../../../server/search/results/line-filter.ts";

/** The lines that may have one of the words, by their numbers. */
function found(words: string, lines: readonly string[]): number[] {
  const mayMatch = lineFilterOf(termsOf(words.split(" ")))(lines);
  return lines.flatMap((_, i) => (mayMatch(i) ? [i] : []));
}

describe("lines that may match", () => {
  it("have a word of the query in any form and case", () =>
    expect(
      found("retries vertex", ["class Retried:", "  pass", "", "def setVERTICES()", "return x"]),
    ).toEqual([0, 3]));
  it("are told by where the word is: at the ends of lines, and twice in one", () =>
    expect(found("load", ["a load", "load load", "x", "reload"])).toEqual([0, 1, 3]));
  it("are all where the text is not ASCII, as letters change their lengths", () =>
    expect(found("load", ["x = 1", "\u0130 = 2"])).toEqual([0, 1]));
  it("are all where a word is not ASCII", () =>
    expect(found("\u043a\u043b\u044e\u0447", ["x = 1", "y = 2"])).toEqual([0, 1]));
  it("are none of no lines", () => expect(found("load", [])).toEqual([]));
});
