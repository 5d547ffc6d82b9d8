/** The context range around a hit. */

import { describe, expect, it } from "vitest";
import { asText, contextRange } from "../../../server/search/results/expand.ts";

describe("contextRange", () => {
  const check = (
    match: string,
    context: string,
    options: Parameters<typeof contextRange>[1],
    expected: string,
  ) => {
    const range = (text: string) => {
      const [start = 0, end = 0] = text.split("-").map(Number);
      return { start, end };
    };
    expect(contextRange({ lines: range(match), context: range(context) }, options)).toEqual(
      range(expected),
    );
  };

  it("is the enclosing definition", () => check("10-12", "5-20", {}, "5-20"));
  it("is the chunk where that is larger", () => check("5-30", "10-12", {}, "5-30"));
  it("is fifty lines around the match in a long definition", () =>
    check("100-100", "0-500", {}, "75-124"));
  it("stays inside at its beginning", () => check("3-3", "0-500", {}, "0-49"));
  it("stays inside at its end", () => check("498-499", "0-500", {}, "451-500"));
  it("shows fifty lines of a long chunk", () => check("0-99", "0-99", {}, "24-73"));
  it("is the chunk without smart context", () =>
    check("10-12", "5-20", { smartContext: false }, "10-12"));
  it("follows the requested number of lines", () =>
    check("10-12", "5-20", { contextBefore: 2 }, "8-12"));
  it("begins at the file's beginning", () =>
    check("1-2", "0-20", { contextBefore: 5, contextAfter: 3 }, "0-5"));
  it("takes no context as none", () =>
    check("10-12", "5-20", { contextBefore: 0, contextAfter: 0 }, "10-12"));
});

describe("asText", () => {
  it("cuts long lines", () =>
    expect(asText(["x".repeat(201), "y"])).toBe(`${"x".repeat(200)}...\ny`));
  it("never cuts a character in half", () =>
    expect(asText([`${"x".repeat(199)}😀 and more`])).toBe(`${"x".repeat(199)}...`));
});
