/** workspace/symbol: names first, without the model where one word was typed. */

import { describe, expect, it } from "vitest";
import { searchSymbols } from "../../server/search/symbols.ts";
import { contextOf, createEmbedder, embedded, indexOf, lanesOf } from "./support.ts";

const LANES = lanesOf(
  embedded("src/pool.ts", "open close", "openPool:function openPools:function closePool:function"),
  embedded("src/user.ts", "openPool openPool openPool"),
  embedded("src/open.ts", "open everything", "open:function"),
);

async function check(query: string, ...expected: string[]): Promise<void> {
  const hits = await searchSymbols(contextOf(indexOf("app", LANES)), query, 10);
  expect(hits.map(({ path, symbol }) => `${path} ${symbol?.name ?? "-"}`)).toEqual(expected);
}

it("finds exact names first, then longer ones, then uses and words of the name", () =>
  check(
    "openPool",
    "src/pool.ts openPool",
    "src/pool.ts openPools",
    "src/user.ts -",
    "src/open.ts open",
  ));
it("finds what begins with the letters typed so far", () => check("clos", "src/pool.ts closePool"));
it("finds nothing for nothing", () => check(""));
it("keeps to the limit", async () =>
  expect(await searchSymbols(contextOf(indexOf("app", LANES)), "open", 2)).toHaveLength(2));

it("shows code before the keys and headings of the same name", async () => {
  const lanes = lanesOf(
    embedded("ci.yaml", "deploy", "jobs.deploy:class"),
    embedded("conf.yaml", "deploy", "deploy:class"),
    embedded("guide.md", "deploy", "Deploy:class"),
    embedded("src/a.ts", "where", "deployAll:function"),
    embedded("src/b.ts", "where", "Cloud.deploy:method"),
  );
  const hits = await searchSymbols(contextOf(indexOf("app", lanes)), "deploy", 10);
  const names = hits.map(({ symbol }) => symbol?.name);
  expect(names.slice(0, 2)).toEqual(["Cloud.deploy", "deployAll"]);
  expect(new Set(names.slice(2))).toEqual(new Set(["Deploy", "deploy", "jobs.deploy"]));
});

it("gives the lines of the definition", async () => {
  const lanes = lanesOf(embedded("a.ts", "x", "first second", { start: 7 }));
  const [hit] = await searchSymbols(contextOf(indexOf("app", lanes)), "second", 10);
  expect(hit?.lines).toEqual({ start: 7, end: 7 });
});

describe("the model", () => {
  const askedFor = async (query: string) => {
    const embedder = createEmbedder();
    await searchSymbols(contextOf(indexOf("app", LANES, embedder)), query, 10);
    return embedder.asked;
  };
  it("is not asked for a name", async () => expect(await askedFor("openPool")).toEqual([]));
  it("is asked for a sentence", async () =>
    expect(await askedFor("where is the pool opened")).toHaveLength(1));
});
