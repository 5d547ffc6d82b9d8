/** Light stemming: which words meet, and which stay apart. */

import { describe, expect, it } from "vitest";
import { wordsOf } from "../../../server/common/words.ts";
import { stem, termsOf } from "../../../server/search/query/stem.ts";

const SAME = [
  ["request", "requests", "requested", "requesting"],
  ["parse", "parses", "parsed", "parsing"],
  ["query", "queries"],
  ["match", "matches", "matched", "matching"],
  ["run", "runs", "running"],
  ["class", "classes"],
  ["cache", "caches", "cached", "caching"],
];
it.each(SAME)("counts %s and its forms as one", (first, ...others) => {
  expect(others.map(stem)).toEqual(others.map(() => stem(first ?? "")));
});

const APART = [
  ["status", "stat"],
  ["bus", "bu"],
  ["this", "thi"],
  ["string", "str"],
  ["used", "us"],
  ["process", "proces"],
  ["über", "übe"],
  ["utf8s", "utf8"],
];
it.each(APART)("keeps %s from %s", (word, other) => expect(stem(word)).not.toBe(other));

describe("termsOf", () => {
  const check = (text: string, expected: string) =>
    expect(termsOf(wordsOf(text)).join(" ")).toBe(expected);

  it("stems the parts of an identifier and keeps its whole", () =>
    check("parseQueries", "pars query parsequeries"));
  it("keeps a whole with separators", () => check("open_files", "open fil open_files"));
  it("keeps each of two wholes in a row", () =>
    check("getUsers getUsers", "get user getusers get user getusers"));
  it("stems a word that only looks like the one before", () => check("files files", "fil fil"));
});
