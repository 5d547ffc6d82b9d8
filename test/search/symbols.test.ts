/** workspace/symbol: names first, without the model where one word was typed. */

import { describe, expect, it } from "vitest";
import { search } from "../../server/search/search.ts";
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

it("finds exact names first, then what else is named alike, and no weak matches beside them", () =>
  check("openPool", "src/pool.ts openPool", "src/pool.ts openPools"));
it("finds weak matches if there are no strong ones", async () => {
  const lanes = lanesOf(
    embedded("src/a.ts", "open the pool of everything"),
    ...Array.from({ length: 20 }, (_, i) => embedded(`src/${i}.ts`, `pool ${i}`)),
  );
  const context = contextOf(indexOf("app", lanes));
  const { hits } = await search(context, { query: "pool of unheard words", limit: 50 });
  const symbols = await searchSymbols(context, "pool of unheard words", 50);
  expect(hits.every(({ relevance }) => relevance === "weak")).toBe(true);
  expect(symbols).toHaveLength(hits.length);
});
it("finds what begins with the letters typed so far", async () => {
  const [first] = await searchSymbols(contextOf(indexOf("app", LANES)), "clos", 10);
  expect(first?.symbol?.name).toBe("closePool");
});
it("finds no mere text beside a name that the query begins", async () => {
  const lanes = lanesOf(
    embedded("src/task.ts", "class StandbyTask", "StandbyTask:class"),
    embedded("src/notes.ts", "StandbyTa is how it was called"),
  );
  const hits = await searchSymbols(contextOf(indexOf("app", lanes)), "StandbyTa", 10);
  expect(hits.map(({ path }) => path)).toEqual(["src/task.ts"]);
});
it("finds a name at the end of a large file, in place of hits without it", async () => {
  const lanes = lanesOf(
    ...Array.from({ length: 9 }, (_, i) => embedded("src/app.ts", `proces proces ${i}`)),
    ...Array.from({ length: 9 }, (_, i) => embedded(`src/${i}.ts`, `proces proces ${i}`)),
    embedded("src/app.ts", "where it goes", "processRoute:function"),
  );
  const hits = await searchSymbols(contextOf(indexOf("app", lanes)), "proces", 5);
  expect(hits.map(({ symbol }) => symbol?.name)).toContain("processRoute");
  expect(hits.length).toBeLessThanOrEqual(5);
});
it("begins with the hits of a search if the query is not a name", async () => {
  const context = contextOf(indexOf("app", LANES));
  const query = "where is the pool opened";
  const { hits } = await search(context, { query, limit: 10 });
  const symbols = await searchSymbols(context, query, 50);
  const strong = hits.filter(({ relevance }) => relevance === "strong");
  expect(strong).not.toEqual([]);
  expect(symbols.slice(0, strong.length)).toEqual(strong);
});
it("shows what contains a name that nothing defines", async () => {
  const lanes = lanesOf(embedded("src/a.ts", "expectCall here"), embedded("src/b.ts", "call"));
  const context = {
    ...contextOf(indexOf("app", lanes)),
    readLines: async () => ["expectCall here"],
  };
  const [first] = await searchSymbols(context, "expectCall", 10);
  expect(first?.path).toBe("src/a.ts");
});
it("finds nothing for nothing", () => check(""));
it("keeps to the limit", async () =>
  expect(await searchSymbols(contextOf(indexOf("app", LANES)), "open", 2)).toHaveLength(2));

it("begins with the namesake that a search begins with", async () => {
  const lanes = lanesOf(
    embedded("src/a/pools.ts", "opens and closes", "Pool:class"),
    embedded("src/pool.ts", "opens and closes", "Pool:class"),
    embedded("src/other.ts", "Pool Pool"),
  );
  const context = contextOf(indexOf("app", lanes));
  const { hits } = await search(context, { query: "Pool", limit: 10 });
  const symbols = await searchSymbols(context, "Pool", 10);
  expect(hits[0]?.path).toBe("src/pool.ts");
  expect(symbols.slice(0, 2).map(({ path }) => path)).toEqual(["src/pool.ts", "src/a/pools.ts"]);
});

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
  expect(names[0]).toBe("Cloud.deploy");
  expect(names).toHaveLength(5);
});

describe("of many namesakes", () => {
  const namesOf = async (query: string, ...symbols: readonly string[]) => {
    const lanes = lanesOf(
      ...symbols.map((each, i) => embedded(`src/${i}.ts`, "where it goes", `${each}:method`)),
    );
    const hits = await searchSymbols(contextOf(indexOf("app", lanes)), query, 20);
    return hits.map(({ symbol }) => symbol?.name);
  };
  const NODES = ["A.writeTo", "B.writeTo", "C.writeTo", "D.writeTo"];
  it("two come before the other names that a query begins, and the rest behind", async () =>
    expect(await namesOf("writeT", ...NODES, "Site.writeToDisk")).toEqual([
      ...NODES.slice(0, 2),
      "Site.writeToDisk",
      ...NODES.slice(2),
    ]));
  it("two namesakes in another letter case than was typed come first", async () => {
    const names = await namesOf("WriteTo", ...NODES, "Site.WriteToDisk");
    expect(names.indexOf("Site.WriteToDisk")).toBe(2);
  });
  it("all come first if they are as typed", async () =>
    expect(await namesOf("writeTo", ...NODES, "Site.writeToDisk")).toEqual([
      ...NODES,
      "Site.writeToDisk",
    ]));
});

it("gives the lines of the definition", async () => {
  const lanes = lanesOf(embedded("a.ts", "x", "first second", { start: 7 }));
  const [hit] = await searchSymbols(contextOf(indexOf("app", lanes)), "second", 10);
  expect(hit?.lines).toEqual({ start: 7, end: 7 });
});

describe("the model", () => {
  const askedFor = async (query: string) => {
    const embedder = { ...createEmbedder(), isLocal: false };
    await searchSymbols(contextOf(indexOf("app", LANES, embedder)), query, 10);
    return embedder.asked;
  };
  it("is not queried for a name if it is remote", async () =>
    expect(await askedFor("openPool")).toEqual([]));
  it("is not queried for the order of namesakes if it is remote", async () => {
    const embedder = { ...createEmbedder(), isLocal: false };
    const lanes = lanesOf(
      embedded("src/a/pools.ts", "opens and closes", "Pool:class"),
      embedded("src/pool.ts", "opens and closes", "Pool:class"),
    );
    const [first] = await searchSymbols(contextOf(indexOf("app", lanes, embedder)), "Pool", 10);
    expect([first?.path, ...embedder.asked]).toEqual(["src/pool.ts"]);
  });
  it("is not queried if the names fill the list", async () => {
    const embedder = createEmbedder();
    const hits = await searchSymbols(contextOf(indexOf("app", LANES, embedder)), "open pool", 1);
    expect([hits.map(({ symbol }) => symbol?.name), embedder.asked]).toEqual([["openPool"], []]);
  });
  it("is not queried for the order of namesakes in one chunk", async () => {
    const embedder = createEmbedder();
    const lanes = lanesOf(embedded("src/pool.ts", "opens", "Pool.open:method Lake.open:method"));
    const hits = await searchSymbols(contextOf(indexOf("app", lanes, embedder)), "open", 10);
    expect([hits.length, embedder.asked]).toEqual([2, []]);
  });
  it("is asked for a sentence", async () =>
    expect(await askedFor("where is the pool opened")).toHaveLength(1));
});
