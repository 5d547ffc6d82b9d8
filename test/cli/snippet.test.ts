/** Which lines of a hit are shown, and which words in them are highlighted. */

import { describe, expect, it } from "vitest";
import { queryWordTest, snippetOf } from "../../server/cli/snippet.ts";
import { HIT } from "./run-cli.ts";

describe("a snippet", () => {
  const { symbol: _, ...unnamed } = HIT;

  function check(text: string, query: string, most: number, expected: string[]): void {
    const lines = snippetOf({ ...unnamed, text }, queryWordTest(query), most);
    expect(lines.map((line) => line.text)).toEqual(expected);
  }

  it("contains the query words", () =>
    check("a\nb\nopen pool\nc", "open the pool", 1, ["open pool"]));
  it("starts at the first line without query words", () => check("a\nb\nc", "pool", 2, ["a", "b"]));
  it("matches other word endings", () =>
    check("a\nopened\nb", "where does it open", 1, ["opened"]));
  it("ignores stop words", () => check("b\nthe and for", "the and for", 1, ["b"]));
  it("drops blank lines at its ends", () => check("\n\na\n\nb\n\n", "x", 9, ["a", "", "b"]));
  it("is empty without text", () => check("", "x", 5, []));
  it("contains the line of the name", () => {
    const text = "/** Docs. */\nfunction openPool() {\n  a;\n  pool;\n}";
    const numbers = (query: string) =>
      snippetOf({ ...HIT, text }, queryWordTest(query), 2).map(({ number }) => number);
    expect(numbers("a pool")).toEqual([11, 12]);
    expect(numbers("zebra")).toEqual([11, 12]);
    expect(numbers("docs")).toEqual([10, 11]);
  });
  it("contains the line of the name if it is the first line", () => {
    const text = "function open() {\n  a;\n  b;\n  pool;\n}";
    const lines = { start: 9, end: 13 };
    const bestLine = { line: 9, column: 0, text: "", lead: "", highlights: [] };
    const hit = { ...unnamed, text, lines, contextRange: lines, bestLine };
    const [first] = snippetOf(hit, queryWordTest("a pool"), 2);
    expect(first?.number).toBe(10);
  });
  it("numbers its lines from 1", () => {
    const [first] = snippetOf({ ...HIT, text: "\na" }, queryWordTest("x"), 5);
    expect(first?.number).toBe(HIT.contextRange.start + 2);
  });
});
