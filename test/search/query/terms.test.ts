/** Terms beside a question: which are used, and what the answer says of the others. */

import { describe, expect, it } from "vitest";
import { parseQuery } from "../../../server/search/query/query.ts";
import { readTerms, splitTerms, withTerms } from "../../../server/search/query/terms.ts";
import { search } from "../../../server/search/search.ts";
import { contextOf, createEmbedder, embedded, indexOf, lanesOf } from "../support.ts";

describe("reading terms", () => {
  it("trims them, and keeps each once in any letter case", () =>
    expect(readTerms([" evict\n", "Evict", "", "\u0000\u0007", "a\u0000b"])).toEqual({
      terms: ["evict", "a b"],
      remarks: [],
    }));
  it("uses twelve of a thousand, and says so", () => {
    const { terms, remarks } = readTerms(Array.from({ length: 1000 }, (_, i) => `term${i}`));
    expect(terms).toHaveLength(12);
    expect(remarks).toEqual(["only the first 12 of 1000 terms used"]);
  });
  it("counts the same term a hundred times as one", () =>
    expect(readTerms(Array.from({ length: 100 }, () => "evict"))).toEqual({
      terms: ["evict"],
      remarks: [],
    }));
  it("ignores a term of a megabyte, and says so", () =>
    expect(readTerms(["x".repeat(1_000_000), "evict"])).toEqual({
      terms: ["evict"],
      remarks: ["1 term longer than 100 characters ignored"],
    }));
});

describe("splitting terms", () => {
  const indexed = new Set(["evict", "victim", "pool", "lrucache", "lru", "cach"]);
  const split = (...terms: string[]) => splitTerms(terms, (term) => indexed.has(term));
  it("keeps a name that occurs as a whole", () =>
    expect(split("LruCache")).toEqual({ known: ["LruCache"], unknown: [] }));
  it("keeps the known parts of a name that does not occur, and calls the name unknown", () =>
    expect(split("evictVictimPage")).toEqual({
      known: ["evict victim"],
      unknown: ["evictVictimPage"],
    }));
  it("keeps the known words of a phrase", () =>
    expect(split("eviction pool")).toEqual({ known: ["pool"], unknown: ["eviction pool"] }));
  it("drops what no file contains", () =>
    expect(split("zebra", "!!")).toEqual({ known: [], unknown: ["zebra", "!!"] }));
});

describe("a query with terms", () => {
  const add = (text: string, ...terms: string[]) =>
    withTerms(
      parseQuery(text, () => undefined),
      terms,
      () => undefined,
    );
  it("a question with terms has their words and names, and stays a question", () => {
    const query = add("which page is thrown out first", "evict", "LruCache");
    expect(query.kind).toBe("sentence");
    expect(query.words).toEqual(expect.arrayContaining(["thrown", "evict", "lru", "lrucache"]));
    expect(query.identifiers).toEqual(["LruCache"]);
  });
  it("is the terms if it has no words of its own", () =>
    expect(add("???", "evict", "victim").words).toEqual(["evict", "victim"]));
  it("is a question if it is one plain word", () =>
    expect(add("cache", "evict").kind).toBe("sentence"));
  it("stays a name if it is written as code", () =>
    expect(add("LruCache", "evict").kind).toBe("symbol"));
});

describe("a search with terms", () => {
  const TREE = [
    embedded("src/buffer.ts", "choose the victim by clock sweep", "chooseVictim:function"),
    embedded("src/page.ts", "render a page", "renderPage:function"),
    embedded("src/room.ts", "make room in the list of rooms", "makeRoom:function"),
  ];
  const ask = (query: string, terms?: readonly string[]) =>
    search(contextOf(indexOf("app", lanesOf(...TREE), createEmbedder())), {
      query,
      ...(terms === undefined ? {} : { terms: [...terms] }),
    });

  it("finds the code that uses them, and suggests words of its names", async () => {
    const { hits, warnings, alsoTry } = await ask("make room", ["victim", "sweep", "clock"]);
    expect(hits[0]?.path).toBe("src/buffer.ts");
    expect(warnings).toEqual([]);
    expect(alsoTry).toEqual(expect.arrayContaining(["choose", "buffer"]));
    expect(alsoTry).not.toContain("victim");
  });
  it("names the terms that no file contains", async () => {
    const { hits, warnings } = await ask("render page", ["zebra", "victim", "quaggaHerd"]);
    expect(warnings).toEqual(['no indexed file contains "zebra", "quaggaHerd"']);
    expect(hits.length).toBeGreaterThan(0);
  });
  it("suggests nothing without terms", async () =>
    expect(await ask("make room")).not.toHaveProperty("alsoTry"));
  it("answers with an empty list as without one, but for the suggestions", async () => {
    const { alsoTry, ...answer } = await ask("make room", []);
    const { cache: _cache, ...same } = await ask("make room");
    expect(answer).toMatchObject(same);
    expect(alsoTry).not.toContain("room");
  });
});
