/** Places of literals and messages in the lines of a chunk. */

import { describe, expect, it } from "vitest";
import { escapeRegExp } from "../../../server/common/escape-regexp.ts";
import { messageFinder } from "../../../server/search/literal/match-message.ts";
import { findLiteral, literalPattern } from "../../../server/search/literal/match-text.ts";
import { forAllRandom } from "../../support/random.ts";

/** Letters of several scripts and lengths in UTF-16. */
const LETTERS = ["a", "A", "b", "_", "-", " ", "$", "\u00e9", "\u0301", "\u{10400}", "\u{10428}"];

/** Slower than `literalPattern`: V8 compiles the classes for each literal. */
function boundedPattern(text: string): RegExp {
  const isWord = (letter: string | undefined) => /^[\p{L}\p{N}\p{M}_]/u.test(letter ?? "");
  const all = Array.from(text);
  const before = isWord(all[0]) ? String.raw`(?<![\p{L}\p{N}\p{M}_])` : "";
  const after = isWord(all.at(-1)) ? String.raw`(?![\p{L}\p{N}\p{M}_])` : "";
  const words = text.split(/\s+/u).map(escapeRegExp);
  return new RegExp(before + words.join(String.raw`\s+`) + after, "giu");
}

describe("a literal", () => {
  const find = (text: string, ...lines: readonly string[]) =>
    findLiteral(lines, literalPattern(text), text);

  it("is a whole word", () => {
    expect(find("setup", "def _setup():", "setups()")).toBeUndefined();
    expect(find("setup", "call(setup)")).toMatchObject({ line: 0, column: 5, length: 5 });
  });
  it("is found behind a sigil", () =>
    expect(find("ZodType", "class $ZodType")).toMatchObject({ column: 7 }));
  it("is read with its punctuation", () => {
    expect(find("max.poll.ms", "max-poll-ms", "maxXpollXms")).toBeUndefined();
    expect(find("a+b*(c)", "x = a+b*(c)")).toMatchObject({ column: 4 });
  });
  it("may have any white space between its words", () =>
    expect(find("connection  refused", "x connection", "   refused")).toMatchObject({
      line: 0,
      column: 2,
      length: 10,
    }));
  it("is preferred in its own letter case", () =>
    expect(find("getUser", "GetUser", "getUser")).toMatchObject({ line: 1, isSameCase: true }));
  it("is preferred where no longer name has it", () => {
    const place = find("my-button", "(defun my-button-face)", "(defvar my-button)");
    expect(place).toMatchObject({ line: 1, isAlone: true });
    expect(find("my-button", "(my-button-face)")).toMatchObject({ isAlone: false });
  });
  it("may begin within a place that is part of a longer word", () =>
    expect(find("a.a", "ba.a.a")).toMatchObject({ column: 3 }));
  it("is found where an expression with the boundaries of words finds it, in any script", async () => {
    let found = 0;
    await forAllRandom({ seed: 5, numRuns: 600 }, (random) => {
      const draw = (length: number) => Array.from({ length }, () => random.pick(LETTERS)).join("");
      const text = draw(1 + random.int(3)).trim();
      const line = draw(30);
      // With a hyphen, a match in a longer name is second to others.
      if (text === "" || text.includes("-")) return;
      const matches = [...line.matchAll(boundedPattern(text))];
      const best = matches.find(([own]) => own.replaceAll(/\s+/gu, " ") === text) ?? matches[0];
      if (best !== undefined) found++;
      expect(find(text, line)?.column, `${text} in ${line}`).toBe(best?.index);
    });
    expect(found).toBeGreaterThan(60);
  });
  it("is in a string where a quote is open before it", () => {
    expect(find("pool", 'throw new Error("the pool is closed")')?.isInString).toBe(true);
    expect(find("pool", "// it's the pool")?.isInString).toBe(false);
    expect(find("pool", 'log("x", pool)')?.isInString).toBe(false);
  });
});

describe("a message", () => {
  const find = (text: string, ...lines: readonly string[]) => {
    const tokens = text.split(" ");
    const isValue = tokens.map((token) => token.startsWith("<"));
    const plain = tokens.map((token) => token.replace("<", ""));
    return messageFinder({ tokens: plain, isValue, weights: plain.map(() => 1) })(lines);
  };

  it("matches its words in a row", () =>
    expect(find("could not open the file", "if (x)", '  fail("could not open the file")')).toEqual({
      line: 1,
      column: 8,
      length: 1,
      isInString: true,
      share: 1,
      run: 5,
      closeness: 1,
    }));
  it("is more distant from a text with other words between its own", () => {
    const place = find("created task with partitions", "created task from another with partitions");
    expect(place?.share).toBe(1);
    expect(place?.closeness).toBeLessThan(0.97);
  });
  it("matches a value in place of a placeholder", () => {
    const line = 'fail("cannot open file %s for reading: %m")';
    expect(find("cannot open file <main.cfg for reading <gone", line)?.share).toBe(1);
  });
  it.each([
    '"Failed to write {} to the log"',
    '"Failed to write %-10s to the log"',
    "`Failed to write ${file.name} to the log`",
    "'Failed to write ' + file.name + ' to the log'",
  ])("is as close to %s as to itself, and less to other words for its value", (text) => {
    const message = "failed to write <main <cfg to the log";
    expect(find(message, text)?.closeness).toBe(1);
    const other = "Failed to write another level to the log";
    expect(find(message, other)?.closeness).toBeLessThan(0.97);
  });
  it("matches with a value between any two of its words", () =>
    expect(
      find("session <42 created group <alpha", "`Session {Id} created group {G}`")?.share,
    ).toBe(1));
  it("matches strings that are concatenated over lines", () =>
    expect(
      find(
        "the lock file is held by another process",
        '"the lock file " +',
        '  "is held by " + who',
      ),
    ).toMatchObject({ line: 0, share: 6 / 8 }));
  it("matches the place with most of it", () =>
    expect(find("the pool is closed now", 'e("the pool is open")')?.share).toBe(3 / 5));
  it("does not match its words in another order", () =>
    expect(find("open the file", "the file is open")).toBeUndefined());
  it("does not match too few of its words in a row", () =>
    expect(
      find("read the next line of input", "read x the y z w v u t s r q line"),
    ).toBeUndefined());
});
