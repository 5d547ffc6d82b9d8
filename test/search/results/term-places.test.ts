/** Where the lines of a chunk are looked at for the words of a query. */

import { describe, expect, it } from "vitest";
import { termsOf } from "../../../server/search/query/stem.ts";
import { placesFinder } from "../../../server/search/results/term-places.ts";

/** By line: columns, or `anywhere`. */
function places(words: string, lines: readonly string[]): string[] {
  const placesIn = placesFinder(termsOf(words.split(" ")))(lines);
  return lines.map((_, i) => placesIn(i)?.join(" ") ?? "anywhere");
}

describe("the places of a query's words", () => {
  it("are where one begins in any form and case", () =>
    expect(
      places("retries vertex", ["class Retried:", "  pass", "", "def setVERTICES()", "x"]),
    ).toEqual(["6", "", "", "7", ""]));
  it("are in order, at the ends of lines and inside of words", () =>
    expect(places("file load", ["a load", "load file load", "x", "reload"])).toEqual([
      "2",
      "0 5 10",
      "",
      "2",
    ]));
  it("are anywhere in text that is not ASCII, as letters change their lengths", () =>
    expect(places("load", ["x = 1", "\u0130 = 2"])).toEqual(["anywhere", "anywhere"]));
  it("are anywhere for a word that is not ASCII", () =>
    expect(places("\u043a\u043b\u044e\u0447", ["x = 1"])).toEqual(["anywhere"]));
  it("are none in no lines", () => expect(places("load", [])).toEqual([]));
});
