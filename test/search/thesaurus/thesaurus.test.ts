/** The thesaurus: lookup by the longest key, and the form of its file. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stem } from "../../../server/search/query/stem.ts";
import { search } from "../../../server/search/search.ts";
import { loadThesaurus, relatedWords } from "../../../server/search/thesaurus/thesaurus.ts";
import { contextOf, createEmbedder, embedded, indexOf, lanesOf } from "../support.ts";

const FILE = new URL("../../../server/search/thesaurus/entries.tsv", import.meta.url);
const thesaurus = await loadThesaurus();
const all = () => true;

describe("related words", () => {
  it("are found for a phrase in any inflection and with articles in between", () => {
    expect(relatedWords(thesaurus, "throw out a page", all)).toContain("evict");
    expect(relatedWords(thesaurus, "throwing out the page", all)).toContain("evict");
  });
  it("belong to the longest key alone", () => {
    const phrase = relatedWords(thesaurus, "throw out", all);
    const word = relatedWords(thesaurus, "throw", all);
    expect(word).toContain("exception");
    expect(phrase).not.toContain("exception");
  });
  it("contain only words of the index, and no word of the text", () => {
    expect(relatedWords(thesaurus, "throw out", (term) => term === "evict")).toEqual(["evict"]);
    expect(relatedWords(thesaurus, "evict or throw out", all)).not.toContain("evict");
  });
  it("are at most four for a key", () =>
    expect(relatedWords(thesaurus, "throw out", all).length).toBeLessThanOrEqual(4));
  it.each(["", "???", "zqxj vbrk", "日本語のファイル"])("are none for %j", (text) =>
    expect(relatedWords(thesaurus, text, all)).toEqual([]),
  );
});

describe("a question in everyday words", () => {
  const TREE = [
    embedded("src/cache.ts", "evict the victim entry of the pool"),
    embedded("src/page.ts", "render a page of results"),
    embedded("src/full.ts", "print the full name"),
  ];
  const ask = async (without: readonly string[] = []) => {
    const context = contextOf(indexOf("app", lanesOf(...TREE), createEmbedder()));
    const { hits } = await search(context, {
      query: "what do we throw out here",
      without: ["vector", ...without],
    });
    return hits.map(({ path }) => path);
  };

  it("finds code that uses none of them", async () => {
    expect(await ask()).toEqual(["src/cache.ts"]);
    expect(await ask(["thesaurus"])).toEqual([]);
  });
});

describe("the file of the thesaurus", () => {
  const lines = readFileSync(FILE, "utf8").trimEnd().split("\n");
  const keys = lines.map((line) => line.split("\t")[0] ?? "");

  it("has sorted keys of one to three words, each once by its stems", () => {
    expect(keys).toEqual([...new Set(keys)].toSorted());
    expect(keys.filter((key) => key.split(" ").length > 3)).toEqual([]);
    const stems = keys.map((key) => key.split(" ").map(stem).join(" "));
    expect(new Set(stems).size).toBe(keys.length);
  });
  it("has one to nine single words for each key, none of them a word of the key", () => {
    const wrong = lines.filter((line) => {
      const [key = "", text = ""] = line.split("\t");
      const values = text.split(" ");
      const own = key.split(" ").map(stem);
      return (
        values.length > 9 ||
        values.some((value) => !/^[a-z][a-z0-9]+$/.test(value) || own.includes(stem(value)))
      );
    });
    expect(wrong).toEqual([]);
  });
});
