/** The whole read path over small indexes. */

import { describe, expect, it } from "vitest";
import { BadRequest, Unavailable } from "../../server/common/errors.ts";
import type { LiveLanes } from "../../server/contracts/lanes.ts";
import type { SearchRequest } from "../../server/contracts/session.ts";
import { BOOSTS } from "../../server/search/boosts/boosts.ts";
import type { SearchableIndex } from "../../server/search/context.ts";
import { analyze, search } from "../../server/search/search.ts";
import { asSent } from "../support/as-sent.ts";
import { contextOf, createEmbedder, embedded, indexOf, lanesOf } from "./support.ts";

const POOL = embedded(
  "src/pool.ts",
  "open the pool of connections",
  "openPool:function Pool:class",
);
const TREE = [
  POOL,
  embedded("src/socket.ts", "close a socket", "closeSocket:function"),
  embedded("src/cache.py", "read from the cache of tokens", "TokenCache.read:method", {
    languageId: "python",
  }),
  embedded("test/pool.test.ts", "open the pool of connections twice", "testPool:function"),
];

const contextWith = (lanes: LiveLanes, embedder = createEmbedder()) =>
  contextOf(indexOf("app", lanes, embedder));
const pathsFor = async (request: SearchRequest, embedder = createEmbedder()) =>
  (await search(contextWith(lanesOf(...TREE), embedder), request)).hits.map(({ path }) => path);

describe("a search", () => {
  it("finds by keyword and meaning, and ranks a test after the tested code", async () => {
    const paths = await pathsFor({ query: "where is the pool opened" });
    expect(paths[0]).toBe("src/pool.ts");
    expect(paths).toContain("test/pool.test.ts");
  });
  it("finds the definition of a name", async () =>
    expect((await pathsFor({ query: "TokenCache.read" }))[0]).toBe("src/cache.py"));
  it("finds a file by its path", async () =>
    expect((await pathsFor({ query: "src/socket.ts" }))[0]).toBe("src/socket.ts"));

  it.each(["", "   ", "?!", "what is it", "lang:python"])("finds nothing for %j", async (query) =>
    expect(await pathsFor({ query })).toEqual([]),
  );

  it("describes a hit", async () => {
    const context = contextWith(lanesOf(...TREE));
    const { hits, mode, cache, warnings } = await search(context, {
      query: "openPool",
      limit: 1,
      includeText: true,
      contextBefore: 1,
      explain: true,
    });
    expect({ mode, cache, warnings }).toEqual({ mode: "hybrid", cache: "miss", warnings: [] });
    expect(asSent(hits)).toEqual([
      {
        index: "app",
        root: "/app",
        path: "src/pool.ts",
        lines: { start: 0, end: 0 },
        bestLine: {
          line: 0,
          column: 9,
          lead: "",
          text: "/app/src/pool.ts 0-0",
          highlights: [[9, 13]],
        },
        contextRange: { start: 0, end: 0 },
        text: "/app/src/pool.ts 0-0",
        score: expect.closeTo(0.8, 1),
        relevance: "strong",
        matchType: "both",
        languageId: "typescript",
        symbol: POOL.symbols[0],
        symbols: POOL.symbols,
        why: expect.arrayContaining([
          expect.objectContaining({ name: "definition", detail: "openPool" }),
        ]),
      },
    ]);
  });

  it("says of another definition of the chunk that it was meant", async () => {
    const { hits } = await search(contextWith(lanesOf(...TREE)), { query: "Pool", limit: 1 });
    expect(hits[0]?.symbol?.name).toBe("Pool");
  });

  it("says which definition of the chunk shares most words with a question", async () => {
    const lanes = lanesOf(embedded("a.ts", "x", "openFile closePools readAll"));
    const { hits } = await search(contextWith(lanes), { query: "how are pools closed" });
    expect(hits[0]?.symbol?.name).toBe("closePools");
  });

  it("gives the same list each time and on a fresh index", async () => {
    const lists = await Promise.all(
      Array.from({ length: 5 }, () => pathsFor({ query: "open the cache" })),
    );
    expect(new Set(lists.map(String)).size).toBe(1);
  });
});

describe("pages", () => {
  const FILES = 230;
  /** Some with two chunks: the second is a further place of the first. */
  const many = Array.from({ length: FILES }, (_, i) => {
    const text = `open the pool of connections ${"again ".repeat(i % 9)}`;
    const path = `src/pool${i}.ts`;
    const first = embedded(path, text, `openPool${i}:function`);
    const second = embedded(path, `pool ${i}`, `closePool${i}:function`, { start: 40 });
    return i % 5 === 0 ? [first, second] : [first];
  }).flat();
  const lanes = lanesOf(...many);
  const ask = (request: Partial<SearchRequest>) =>
    search(contextWith(lanes), { query: "where is the pool opened", ...request });
  const placesOf = ({ hits }: Awaited<ReturnType<typeof ask>>) =>
    hits.map(({ path, lines }) => `${path}:${lines.start}`);

  it("begin like the list without pages, and say how many hits follow", async () => {
    const whole = await ask({ limit: 10 });
    const { more, ...first } = await ask({ limit: 10, offset: 0 });
    expect(first).toEqual(whole);
    expect(more).toBeGreaterThan(100);
    expect(whole).not.toHaveProperty("more");
  });

  it("together are one list without repetition", async () => {
    const all: string[] = [];
    let left = Infinity;
    // With this limit the lanes find more than 200.
    const limit = 70;
    for (let offset = 0; left > 0; offset += limit) {
      const page = await ask({ limit, offset });
      all.push(...placesOf(page));
      left = page.more ?? 0;
    }
    expect(all.length).toBe(200);
    expect(new Set(all).size).toBe(all.length);
    expect(placesOf(await ask({ limit, offset: 30 }))).toEqual(all.slice(30, 100));
  });

  it("name the definitions of their hits", async () => {
    const { hits } = await ask({ limit: 10, offset: 100 });
    expect(hits.map(({ symbol }) => symbol?.name)).not.toContain(undefined);
  });

  it("count only hits with the minimum score", async () => {
    const { hits } = await ask({ limit: 50 });
    const { more } = await ask({ limit: 10, offset: 0, minScore: hits[19]?.score ?? 1 });
    expect(more).toBe(10);
  });

  it("are answered from the cache each by itself", async () => {
    const context = contextWith(lanes);
    const pages = async (offset: number) =>
      await search(context, { query: "pool", limit: 5, offset });
    const first = await pages(0);
    expect(placesOf(await pages(5))).not.toEqual(placesOf(first));
    expect(await pages(0)).toEqual({ ...first, cache: "exact" });
  });
});

describe("modes", () => {
  it("searches by meaning alone when words are not wanted", async () => {
    const { hits, mode } = await search(contextWith(lanesOf(...TREE)), {
      query: "open the pool",
      hybrid: false,
    });
    expect(mode).toBe("semantic");
    expect(hits.every(({ matchType }) => matchType === "semantic")).toBe(true);
  });

  it("leaves out the lanes and boosts that are named", async () => {
    const embedder = createEmbedder();
    const { hits, mode } = await search(contextWith(lanesOf(...TREE), embedder), {
      query: "openPool",
      without: ["vector", "symbol", "definition"],
      explain: true,
    });
    expect(mode).toBe("keyword");
    expect(embedder.asked).toEqual([]);
    const names = hits.flatMap(({ why }) => why?.map(({ name }) => name) ?? []);
    expect(names).toContain("keyword");
    expect(names).not.toContain("definition");
  });
});

describe("filters", () => {
  it("hold for every hit, also for definitions that boosts bring", async () => {
    expect(await pathsFor({ query: "openPool", languages: ["py"] })).toEqual(["src/cache.py"]);
    expect(await pathsFor({ query: "openPool lang:py" })).toEqual(["src/cache.py"]);
    expect(await pathsFor({ query: "Pool", paths: ["test"] })).toEqual(["test/pool.test.ts"]);
    expect(await pathsFor({ query: "open pool", symbolTypes: ["method"] })).toEqual([
      "src/cache.py",
    ]);
    expect(await pathsFor({ query: "open pool", symbolName: "close*" })).toEqual(["src/socket.ts"]);
  });
  it("name a language that is not known", async () =>
    expect(pathsFor({ query: "x", languages: ["klingon"] })).rejects.toThrow(BadRequest));
  it("leave out hits below the least score", async () => {
    const { hits } = await search(contextWith(lanesOf(...TREE)), {
      query: "close a socket",
      minScore: 0.7,
    });
    expect(hits.map(({ path }) => path)).toEqual(["src/socket.ts"]);
  });
});

describe("failures", () => {
  it("leave words working when the embedder is down", async () => {
    const { hits, mode, warnings } = await search(
      contextWith(lanesOf(...TREE), createEmbedder(true)),
      {
        query: "open the pool",
      },
    );
    expect(hits[0]?.path).toBe("src/pool.ts");
    expect(mode).toBe("keyword");
    expect(warnings).toEqual(["searched without meaning: connection refused"]);
  });

  it("warns that the vectors come from another model, if the search uses meaning", async () => {
    const mismatch = "made by another model: index again";
    const index = { ...indexOf("app", lanesOf(...TREE), undefined), embedder: undefined, mismatch };
    const warningsFor = async (request: SearchRequest) =>
      (await search(contextOf(index), request)).warnings;
    expect(await warningsFor({ query: "open the pool" })).toEqual([mismatch]);
    expect(await warningsFor({ query: "open the pool", without: ["vector"] })).toEqual([]);
  });

  it.each(["keyword", "symbol", "vector"] as const)(
    "leave the others when the %s lane fails",
    async (lane) => {
      const lanes = lanesOf(...TREE);
      lanes[lane] = () => Promise.reject(new Error("out of order"));
      const { hits, warnings } = await search(contextWith(lanes), { query: "openPool" });
      expect(hits[0]?.path).toBe("src/pool.ts");
      expect(warnings).toEqual([`app: the ${lane} lane was left out: out of order`]);
    },
  );

  it("are not remembered: the next search asks again", async () => {
    const context = contextWith(lanesOf(...TREE), createEmbedder(true));
    await search(context, { query: "open the pool" });
    expect((await search(context, { query: "open the pool" })).cache).toBe("miss");
  });

  it("failures of one index are named, and the others answer", async () => {
    const down = {
      ...indexOf("down", lanesOf()),
      lanes: () => Promise.reject(new Unavailable("the database", "start it")),
    };
    const context = contextOf(indexOf("app", lanesOf(...TREE)), down);
    const { hits, warnings } = await search(context, { query: "open the pool" });
    expect(hits[0]?.index).toBe("app");
    expect(warnings).toEqual(["index down was left out: the database: start it"]);
    await expect(search(contextOf(down), { query: "x" })).rejects.toThrow(Unavailable);
  });
});

describe("several indexes", () => {
  it("are asked with one vector, and each hit says its index", async () => {
    const embedder = createEmbedder();
    const context = contextOf(
      indexOf("app", lanesOf(POOL), embedder),
      indexOf("lib", lanesOf(embedded("socket.ts", "open a socket")), embedder),
    );
    const { hits } = await search(context, { query: "open the pool of connections" });
    expect(embedder.asked).toEqual(["open the pool of connections"]);
    expect(hits.map(({ index, path }) => `${index} ${path}`)).toEqual([
      "app src/pool.ts",
      "lib socket.ts",
    ]);
    expect(hits[0]?.score).toBeGreaterThan(hits[1]?.score ?? 1);
  });

  it("rank as one index of all their files, so that a small one is not before the others by chance", async () => {
    const embedder = createEmbedder();
    const app = Array.from({ length: 40 }, (_, i) =>
      embedded(`src/pool${i}.ts`, `open the pool of ${i} connections and wait for a socket`),
    );
    const lib = [embedded("src/notes.md", "the socket of a pool"), embedded("src/a.ts", "wait")];
    const request = { query: "open the pool of 7 connections and wait for the socket", limit: 20 };
    const hitsOf = async (...indexes: readonly SearchableIndex[]) => {
      const { hits } = await search(contextOf(...indexes), request);
      return hits.map(({ path, score }) => [path, score.toFixed(1)]);
    };
    const all = await hitsOf(indexOf("all", lanesOf(...app, ...lib), embedder));
    const united = await hitsOf(
      indexOf("lib", lanesOf(...lib), embedder),
      indexOf("app", lanesOf(...app), embedder),
    );
    expect(all[0]?.[0]).toBe("src/pool7.ts");
    expect(united).toEqual(all);
  });

  it("are filtered by their own paths", async () => {
    const embedder = createEmbedder();
    const lanes = () => lanesOf(POOL, embedded("lib/pool.ts", "open the pool"));
    const first = { ...indexOf("first", lanes(), embedder), only: new Set(["lib/pool.ts"]) };
    const context = contextOf(first, indexOf("second", lanes(), embedder));
    const pathsOf = async (...paths: string[]) => {
      const { hits } = await search(context, { query: "open the pool", paths });
      return hits.map(({ index, path }) => `${index} ${path}`).toSorted();
    };
    expect(await pathsOf("src")).toEqual(["second src/pool.ts"]);
    expect(await pathsOf()).toEqual([
      "first lib/pool.ts",
      "second lib/pool.ts",
      "second src/pool.ts",
    ]);
  });

  it("leave out the lane of one that fails, and name it", async () => {
    const embedder = createEmbedder();
    const lanes = lanesOf(embedded("socket.ts", "open a socket"));
    lanes.keyword = () => Promise.reject(new Error("out of order"));
    const context = contextOf(
      indexOf("app", lanesOf(POOL), embedder),
      indexOf("lib", lanes, embedder),
    );
    const { hits, warnings } = await search(context, { query: "open the pool" });
    expect(hits[0]).toMatchObject({ index: "app", matchType: "both" });
    expect(warnings).toEqual(["lib: the keyword lane was left out: out of order"]);
  });
});

describe("options", () => {
  it("rank alike whether a path is in the query or beside it", async () => {
    const tree = [
      embedded("app/tests/pool.ts", "open the pool of connections"),
      embedded("app/src/pool.ts", "the pool is opened by nobody"),
    ];
    const ask = async (request: SearchRequest) =>
      (await search(contextWith(lanesOf(...tree)), request)).hits;
    const inside = await ask({ query: "open the pool path:app" });
    expect(inside).toHaveLength(2);
    expect(await ask({ query: "open the pool", paths: ["app"] })).toEqual(inside);
  });

  it("weigh the lanes alike where all of them are asked for", async () => {
    const context = contextWith(lanesOf(...TREE));
    const weights = async (hybrid?: boolean) => {
      const { hits } = await analyze(context, {
        query: "src/pool.ts",
        ...(hybrid === undefined ? {} : { hybrid }),
      });
      const reasons = hits[0]?.why ?? [];
      const of = (lane: string) => reasons.find(({ name }) => name === lane)?.contribution ?? 0;
      return of("keyword") / of("vector");
    };
    expect(await weights()).toBeGreaterThan(2);
    expect(await weights(true)).toBeLessThan(1.5);
  });
});

describe("nothing", () => {
  const ask = async (query: string, minCosine?: number, more: Partial<SearchRequest> = {}) => {
    const embedder = { ...createEmbedder(), ...(minCosine === undefined ? {} : { minCosine }) };
    return await pathsFor({ query, ...more }, embedder);
  };
  it("is found for words that no chunk has, where the model says how near is near", async () => {
    expect(await ask("qwzxk blorf vrint", 0.99)).toEqual([]);
    expect(await ask("qwzxk blorf vrint")).not.toEqual([]);
  });
  it("does not apply if a word matches or only meaning is searched", async () => {
    expect(await ask("qwzxk blorf pool", 0.99)).toContain("src/pool.ts");
    expect(await ask("qwzxk blorf vrint", 0.99, { hybrid: false })).not.toEqual([]);
  });
});

describe("the cache", () => {
  it("answers the same question without embedding it again", async () => {
    const embedder = createEmbedder();
    const context = contextWith(lanesOf(...TREE), embedder);
    const first = await search(context, { query: "open the pool" });
    const second = await search(context, { query: "open the pool" });
    expect(second).toEqual({ ...first, cache: "exact" });
    expect(embedder.asked).toHaveLength(1);
  });

  it.each([
    ["the pool of connections: open"],
    ["open the pool of connections in tests"],
    ["open the pool of connections without tests"],
    ["open the pool of 2 connections"],
    ["Open the pool of connections"],
  ])("answers no other question: %s", async (other) => {
    const context = contextWith(lanesOf(...TREE));
    await search(context, { query: "open the pool of connections" });
    const cached = await search(context, { query: other });
    expect(cached).toEqual(await search(contextWith(lanesOf(...TREE)), { query: other }));
    expect(cached.cache).toBe("miss");
  });

  it("forgets when the index changes", async () => {
    const lanes = lanesOf(...TREE);
    const context = contextWith(lanes);
    await search(context, { query: "open the pool" });
    await lanes.replace(["src/pool.ts"], []);
    const { cache, hits } = await search(context, { query: "open the pool" });
    expect(cache).toBe("miss");
    expect(hits.map(({ path }) => path)).not.toContain("src/pool.ts");
  });

  it("shows the text as it is now", async () => {
    const context = contextWith(lanesOf(...TREE));
    await search(context, { query: "open the pool" });
    const { cache, hits } = await search(context, { query: "open the pool", includeText: true });
    expect(cache).toBe("exact");
    expect(hits[0]?.text).toBe("/app/src/pool.ts 0-0");
  });
});

describe("analyze", () => {
  it("shows the whole way of a question that the cache knows", async () => {
    const context = contextWith(lanesOf(...TREE));
    await search(context, { query: "openPool" });
    const { stages, cache } = await analyze(context, { query: "openPool" });
    expect(cache).toBe("miss");
    expect(stages.find(({ name }) => name === "cache")?.notes).toEqual({ known: true });
    expect(stages.map(({ name }) => name)).toContain("keyword");
  });

  it("gives the hits of the search with every stage and place", async () => {
    const context = contextWith(lanesOf(...TREE));
    const request = { query: "openPool" };
    const { stages, hits, cache } = await analyze(context, request);
    expect(stages.map(({ name }) => name)).toEqual([
      "query",
      "correct",
      "cache",
      "embed",
      "vector",
      "keyword",
      "symbol",
      "recall",
      "fusion",
      "read file words",
      ...BOOSTS.map(({ name }) => name),
      "literal",
      "assemble",
      "expand",
      "best lines",
    ]);
    expect(cache).toBe("miss");
    expect(hits[0]?.ranks).toMatchObject({
      vector: 1,
      keyword: 1,
      symbol: 1,
      fusion: 1,
      saturation: 1,
    });
    expect(hits.map(({ path }) => path)).toEqual(
      (await search(context, request)).hits.map(({ path }) => path),
    );
  });
});

describe("what a question itself is not", () => {
  const warningsOf = async (request: SearchRequest) =>
    (await search(contextWith(lanesOf(...TREE)), request)).warnings;

  it.each<[SearchRequest, string]>([
    [
      { query: "pool lang:pyhton" },
      "lang:pyhton is no known filter and was searched as words; did you mean lang:python?",
    ],
    [{ query: "pool type:error" }, "type:error is no known filter and was searched as words"],
    [
      { query: "what is it" },
      '"what is it" has only words that are everywhere; name what you look for',
    ],
    [{ query: "pool", paths: ["nowhere/**"] }, "no indexed file passes the filter (path)"],
    [{ query: "pool path:nowhere" }, "no indexed file passes the filter (path)"],
    [
      { query: "pool", symbolTypes: ["interface"] },
      "no indexed file passes the filter (type interface)",
    ],
  ])("is said: %o", async (request, sentence) =>
    expect(await warningsOf(request)).toEqual([sentence]),
  );

  it("is said again when the answer is known", async () => {
    const context = contextWith(lanesOf(...TREE));
    const request = { query: "pool", paths: ["nowhere/**"] };
    await search(context, request);
    const { cache, warnings } = await search(context, request);
    expect([cache, warnings.length]).toEqual(["exact", 1]);
  });
  it("is not said of a question that is as it should be", async () =>
    expect(await warningsOf({ query: "pool lang:python path:src" })).toEqual([]));
});

describe("a name that is nowhere", () => {
  it.each([
    ["RequetsBody", "RequestBody"],
    ["requetsBody", "requestBody"],
    ["requetsbody", "requestBody"],
  ])("is corrected to the name with its capital: %s", async (written, meant) => {
    const names = ["a:RequestBody", "b:requestBody", "c:requestBody"].map((each) =>
      each.split(":"),
    );
    const chunks = names.map(([file = "", name]) => embedded(`${file}.ts`, "", name));
    const { warnings } = await search(contextWith(lanesOf(...chunks)), { query: written });
    expect(warnings).toEqual([`"${written}" is nowhere; searched for "${meant}"`]);
  });
  it.each([
    ["openPol", "openPool"],
    ["openpooll", "openPool"],
    ["closeSockket", "closeSocket"],
    ["CLOSESOKET", "closeSocket"],
    ["sockte.ts", "socket.ts"],
  ])("is corrected to the closest name: %s", async (written, meant) => {
    const context = contextWith(lanesOf(...TREE));
    const { hits, warnings } = await search(context, { query: written });
    expect(warnings).toEqual([`"${written}" is nowhere; searched for "${meant}"`]);
    expect(hits).toEqual((await search(context, { query: meant })).hits);
  });
  it.each(["closSock", "clossock"])(
    "is found by the beginnings of its words: %s",
    async (query) => {
      const { hits } = await search(contextWith(lanesOf(...TREE)), { query });
      expect(hits[0]?.symbol?.name).toBe("closeSocket");
    },
  );
  it("is not guessed in a sentence", async () => {
    const query = "where is closeSockt called";
    expect((await search(contextWith(lanesOf(...TREE)), { query })).warnings).toEqual([]);
  });
  it.each(["openPo", "TokenCache.raed", "connections", "pool", "unheardOfEverything"])(
    "stays as it is where it begins like one, is a word of the text, or is like nothing: %s",
    async (query) => {
      const { warnings } = await search(contextWith(lanesOf(...TREE)), { query });
      expect(warnings).toEqual([]);
    },
  );
});
