/** The definitions that a hit lists, and their order. */

import { describe, expect, it } from "vitest";
import type { CodeSymbol, Lines, SymbolType } from "../../../server/contracts/model.ts";
import type { MentionsByChunk } from "../../../server/search/lanes/mentions.ts";
import { parseQuery, type Query } from "../../../server/search/query/query.ts";
import { definitionsOf, symbolsOfHits } from "../../../server/search/results/hit-symbols.ts";
import { chunkOf, lanesOf } from "../support.ts";

/** `name from-to` or `name:type from-to`; `chunk from-to` ends the definitions of the file's chunk before. */
function symbol(text: string): CodeSymbol {
  const [named = "", range = ""] = text.split(" ");
  const [name = "", type = "method"] = named.split(":");
  const [start = 0, end = start] = range.split("-").map(Number);
  return {
    name,
    type: type as SymbolType,
    signature: name,
    lines: { start, end },
    nameLine: start,
  };
}

interface Chunk {
  readonly lines: Lines;
  readonly symbols: readonly string[];
  readonly path?: string;
}

/** `others` gets the names that are left. */
async function namesOf(
  query: Query,
  chunks: readonly Chunk[],
  mentions?: MentionsByChunk,
  others: string[] = [],
): Promise<string[][]> {
  const stored = chunks.map(({ lines, symbols, path = "a.py" }, i) => ({
    ...chunkOf(path, "", "", { start: i * 1000 }),
    lines,
    symbols: symbols.map(symbol),
  }));
  const lanes = lanesOf(...stored);
  const facts = await lanes.facts(stored.map((_, i) => i));
  const hits = [...facts].map(([chunk, each]) => ({ chunk, facts: each }));
  const found = symbolsOfHits(hits, query, await definitionsOf(hits, query, lanes), mentions);
  return found.map(({ symbols, otherSymbols }) => {
    const all = [...symbols, ...otherSymbols].map(({ name }) => name);
    expect(new Set(all).size).toBe(all.length);
    others.push(...otherSymbols.map(({ name }) => name));
    return symbols.map(({ name }) => name);
  });
}

const lines = (start: number, end: number): Lines => ({ start, end });
const asked = (text: string) => parseQuery(text, () => undefined);

const reported = (title: string, rest = "") =>
  asked(
    `${title}\n\nIt was noticed in the last release and happens each time, as far as anybody has seen until today, on every machine.\n\n${rest}`,
  );

describe("of a question", () => {
  it("the symbols are all definitions, the requested one first", async () =>
    expect(
      await namesOf(asked("where does Pool.close end"), [
        { lines: lines(0, 30), symbols: ["Pool:class 0-30", "Pool.open 2-9", "Pool.close 10-20"] },
      ]),
    ).toEqual([["Pool.close", "Pool", "Pool.open"]]));

  it("share words with it", async () =>
    expect(
      await namesOf(asked("how are expired sessions removed"), [
        { lines: lines(0, 30), symbols: ["load 0-5", "remove_expired 6-9"] },
      ]),
    ).toEqual([["remove_expired", "load"]]));

  it("the symbol is the definition around the hit if none begins in it", async () =>
    expect(
      await namesOf(asked("how are things done"), [
        { lines: lines(0, 20), symbols: ["Pool:class 0-90", "Pool.open 2-60"] },
        { lines: lines(21, 40), symbols: [] },
      ]),
    ).toEqual([["Pool", "Pool.open"], ["Pool.open"]]));

  it("a chunk without definitions has no symbols", async () =>
    expect(await namesOf(asked("how"), [{ lines: lines(0, 9), symbols: [] }])).toEqual([[]]));
});

describe("of a bug report", () => {
  const three = {
    lines: lines(10, 39),
    symbols: ["Pool.open 10-19", "Pool.close 20-29", "Pool.drain 30-39"],
  };

  it("the likely places are the definitions that its words describe", async () =>
    expect(await namesOf(reported("The pool cannot drain"), [three])).toEqual([["Pool.drain"]]));

  it("the other definitions of the hit are returned apart", async () => {
    const others: string[] = [];
    await namesOf(reported("The pool cannot drain"), [three], undefined, others);
    expect(others).toEqual(["Pool.open", "Pool.close"]);
  });

  it("the likely places are only the definitions that the report names", async () =>
    expect(
      await namesOf(
        reported("It cannot be ended"),
        [three],
        new Map([[0, [{ symbol: "Pool.close", weight: 0.8 }]]]),
      ),
    ).toEqual([["Pool.close"]]));

  it("the likely places are the definitions that its traceback names", async () =>
    expect(
      await namesOf(
        reported("It fails", 'Traceback (most recent call last):\n  File "a.py", line 2, in drain'),
        [three],
      ),
    ).toEqual([["Pool.drain"]]));

  it("the likely place is the definition that most of the hit belongs to", async () =>
    expect(
      await namesOf(reported("It fails"), [
        { lines: lines(0, 39), symbols: ["Pool.open 0-2", "Pool.close 3-39"] },
      ]),
    ).toEqual([["Pool.close"]]));

  it("at most three equally likely places are listed", async () =>
    expect(
      await namesOf(reported("It fails"), [
        { lines: lines(0, 39), symbols: ["a 0-9", "b 10-19", "c 20-29", "d 30-39"] },
      ]),
    ).toEqual([["a", "b", "c"]]));

  it("methods come before their class", async () =>
    expect(
      await namesOf(reported("It fails"), [
        { lines: lines(0, 9), symbols: ["Pool:class 0-9", "Pool.open 1-9"] },
      ]),
    ).toEqual([["Pool.open", "Pool"]]));

  it("the class around the first hits is listed once", async () => {
    const found = await namesOf(reported("It fails"), [
      { lines: lines(10, 19), symbols: ["Pool.open 10-19"] },
      { lines: lines(20, 29), symbols: ["Pool.close 20-29"] },
      { lines: lines(0, 2), symbols: ["Pool:class 0-90"] },
      { lines: lines(30, 39), symbols: ["Lamp.light 30-39"], path: "b.py" },
      { lines: lines(0, 2), symbols: ["Lamp:class 0-90"], path: "b.py" },
    ]);
    expect(found).toEqual([
      ["Pool.open", "Pool"],
      ["Pool.close"],
      ["Pool"],
      ["Lamp.light"],
      ["Lamp"],
    ]);
  });
});
