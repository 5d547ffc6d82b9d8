/** Texts and patterns in lines: letter case, empty matches, line by line, and refused patterns. */

import { describe, expect, it } from "vitest";
import type { Sought } from "../../../server/contracts/scanner.ts";
import { listMatches } from "../../../server/search/occurrences/find-places.ts";
import { compileMatcher, type Matcher } from "../../../server/search/occurrences/matcher.ts";
import { random } from "../../support/random.ts";

function matcherOf(sought: string, { isPattern = false, ignoreCase = false } = {}): Matcher {
  const kind: Sought["kind"] = isPattern ? "pattern" : "exact";
  const matcher = compileMatcher({ text: sought, kind, ignoreCase });
  if ("problem" in matcher) throw new Error(matcher.problem);
  return matcher;
}

/** `line:column+length` of each match. */
function places(text: string, matcher: Matcher): string {
  const found = listMatches(text, matcher, { from: 0, to: Infinity });
  expect(matcher.count(text, () => false)).toBe(found.length);
  return found.map(({ line, column, length }) => `${line}:${column}+${length}`).join(" ");
}

const exact = (sought: string, text: string, ignoreCase = false) =>
  places(text, matcherOf(sought, { ignoreCase }));
const pattern = (sought: string, text: string, ignoreCase = false) =>
  places(text, matcherOf(sought, { isPattern: true, ignoreCase }));

describe("a text", () => {
  it("is found character by character, without overlaps", () => {
    expect(exact("a.b", "a.b axb a.b.b")).toBe("0:0+3 0:8+3");
    expect(exact("aa", "aaaaa")).toBe("0:0+2 0:2+2");
  });
  it("may be a part of a word", () => expect(exact("oo", "foobar\nboo")).toBe("0:1+2 1:1+2"));
  it("is case-sensitive by default", () => {
    expect(exact("Straße", "straße Straße")).toBe("0:7+6");
    expect(exact("Straße", "straße STRAßE Straße", true)).toBe("0:0+6 0:7+6 0:14+6");
  });
  it("is not read as a pattern, in any letter case either", () => {
    expect(exact("a.c", "abc A.C", true)).toBe("0:4+3");
    expect(exact(String.raw`\d[x`, String.raw`1 \D[X`, true)).toBe("0:2+4");
  });
  it("has columns in UTF-16 units", () => expect(exact("é", "😀é")).toBe("0:2+1"));
});

describe("a pattern", () => {
  it("matches within one line only", () => {
    expect(pattern(String.raw`a\s+b`, "a\nb\na b")).toBe("2:0+3");
    expect(pattern("^b$", "ab\nb\nbb\nb")).toBe("1:0+1 3:0+1");
    expect(pattern(String.raw`\Ab\z`, "ab\nb\nbb")).toBe("1:0+1");
    expect(pattern("(?s)a.*", "xa\ny")).toBe("0:1+1");
    expect(pattern("(?-m:^b)", "a\nb")).toBe("1:0+1");
  });
  it("has one place in a line that it matches with nothing", () => {
    expect(pattern("x*", "abc\n\nxx")).toBe("0:0+0 1:0+0 2:0+2");
    expect(pattern("^$", "a\n\nb\n")).toBe("1:0+0");
    expect(pattern("^$", "")).toBe("");
  });
  it("has columns in UTF-16 units", () => expect(pattern("é+.", "a😀é😀b")).toBe("0:3+3"));
  it("ignores letter case on demand", () =>
    expect(pattern("async.*lock", "ASYNC the LOCK", true)).toBe("0:0+14"));

  it.each([
    ["(", "missing closing )"],
    ["[a", "missing closing ]"],
    ["a(?=b)", "invalid or unsupported Perl syntax: `(?=`"],
    ["(?<!a)b", "invalid named capture"],
    [String.raw`(a)\1`, "invalid escape sequence: `\\1`"],
    ["x{2000}", "invalid repeat count"],
    ["((a{100}){100}){100}", "invalid repeat count"],
    ["a**", "invalid nested repetition operator"],
    ["a\\", "trailing backslash"],
  ])("%s is refused with the reason and a remedy", (sought, reason) => {
    const refused = compileMatcher({ text: sought, kind: "pattern", ignoreCase: false });
    const problem = "problem" in refused ? refused.problem : "";
    expect(problem).toContain(reason);
    expect(problem).toContain("search for a text as it is with exact");
  });

  it("takes linear time where backtracking would not end", () => {
    const line = `${"a".repeat(50_000)}!`;
    expect(pattern("(a+a+)+b", line)).toBe("");
    expect(pattern("(a|aa)+$", line)).toBe("");
  });
});

describe("a long line", () => {
  const found = listMatches(`${"é😀".repeat(500)}here${"x".repeat(500)}`, matcherOf("here"), {
    from: 0,
    to: 1,
  });
  const [place] = found;

  it("is cut to 400 units around the match", () => {
    expect(place?.text).toHaveLength(400);
    expect(place?.text.indexOf("here")).toBe((place?.column ?? 0) - (place?.before?.units ?? 0));
    expect(place?.column).toBe(1500);
  });
  it("does not begin with half of a character", () => {
    const { text = "" } = place ?? {};
    expect(Buffer.from(text).toString()).toBe(text);
    expect(place?.text.startsWith("é") || place?.text.startsWith("😀")).toBe(true);
  });
  it("is measured before the cut in every unit", () => {
    const lead = "é😀".repeat(500).slice(0, place?.before?.units);
    expect(place?.before).toEqual({
      units: lead.length,
      bytes: Buffer.byteLength(lead),
      characters: Array.from(lead).length,
    });
  });
});

it("a list has the asked part of the matches", () => {
  const parts = (from: number, to: number) =>
    listMatches("a a\na a\n\nb a", matcherOf("a"), { from, to }).map(
      ({ line, column }) => `${line}:${column}`,
    );
  expect(parts(1, 3)).toEqual(["0:2", "1:0"]);
  expect(parts(3, 9)).toEqual(["1:2", "3:2"]);
});

describe("counting", () => {
  it("stops when the time is up, within a line, too", () => {
    const count = (text: string) =>
      matcherOf("a.*b|a", { isPattern: true }).count(text, () => true);
    expect(count("a\n".repeat(1_000_000))).toBeUndefined();
    expect(count("a".repeat(100_000))).toBeUndefined();
  });

  it("does without an automaton that becomes too large", () => {
    const { pick } = random(5);
    const bits = Array.from({ length: 8_000 }, () => pick(["0", "1"])).join("");
    const matcher = matcherOf("[01]*1[01]{300}x", { isPattern: true });
    expect(matcher.count(`${bits}\n1${"0".repeat(300)}x\n`, () => false)).toBe(1);
  });
});
