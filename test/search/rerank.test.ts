/** Stage 7 of the read path: a reranker's order fused with ours, and what happens when it fails. */

import { describe, expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import type { Reranker } from "../../server/contracts/query-models.ts";
import type { SearchContext } from "../../server/search/context.ts";
import { analyze, search } from "../../server/search/search.ts";
import { searchSymbols } from "../../server/search/symbols.ts";
import { contextOf, embedded, indexOf, lanesOf } from "./support.ts";

/** Ten files; the first has most words of "open the socket connection pool". */
const WORDS = "open the socket connection pool quickly again for all".split(" ");
const LANES = lanesOf(
  ...WORDS.map((_, i) =>
    embedded(`src/${"abcdefghi"[i]}.ts`, WORDS.slice(0, WORDS.length - i).join(" ")),
  ),
);
const QUERY = "open the socket connection pool quickly";

interface Fake extends Reranker {
  isAvailable: boolean;
  readonly asked: (readonly string[])[];
}

/** Gives a document the score that `scoreOf` gives its path. */
function fake(scoreOf: (path: string) => number, candidates = 50): Fake {
  const asked: (readonly string[])[] = [];
  return {
    id: "fake:model",
    isAvailable: true,
    candidates,
    asked,
    rerank: async (_query, documents) => {
      asked.push(documents);
      return documents.map((text) => scoreOf(text.split("\n")[0] ?? ""));
    },
  };
}

const contextWith = (reranker: Reranker | undefined, lanes = LANES): SearchContext => ({
  ...contextOf(indexOf("app", lanes)),
  reranker,
});

const pathsOf = (hits: readonly { readonly path: string }[]) => hits.map(({ path }) => path);

async function ownOrder(lanes = LANES, query = QUERY): Promise<string[]> {
  return pathsOf((await search(contextWith(undefined, lanes), { query })).hits);
}

/** Scores only the first documents, as a reranker whose time ends. */
function hurried(count: number, scoreOf: (path: string) => number): Fake {
  const whole = fake(scoreOf);
  const rerank: Fake["rerank"] = async (query, documents) =>
    await whole.rerank(query, documents.slice(0, count));
  return { ...whole, rerank };
}

describe("a reranker whose time ends", () => {
  it("reorders the chunks that it scored, and keeps the place of the others", async () => {
    const own = await ownOrder();
    const { hits } = await search(contextWith(hurried(3, (path) => own.indexOf(path))), {
      query: QUERY,
    });
    expect(pathsOf(hits).slice(0, 3).toSorted()).toEqual(own.slice(0, 3).toSorted());
    expect(pathsOf(hits).slice(0, 3)).not.toEqual(own.slice(0, 3));
    expect(pathsOf(hits).slice(3)).toEqual(own.slice(3));
  });

  it("is asked again by the next search, whose answer may be complete", async () => {
    const reranker = hurried(3, () => 1);
    const context = contextWith(reranker);
    await search(context, { query: QUERY });
    await search(context, { query: QUERY });
    expect(reranker.asked).toHaveLength(2);
  });
});

it("a request without reranking does not ask, and is cached apart from others", async () => {
  const own = await ownOrder();
  const reranker = fake((path) => own.indexOf(path));
  const context = contextWith(reranker);
  const plain = await search(context, { query: QUERY, rerank: false });
  expect(pathsOf(plain.hits)).toEqual(own);
  expect(reranker.asked).toEqual([]);
  expect(pathsOf((await search(context, { query: QUERY })).hits)).not.toEqual(own);
});

describe("an answer while the user types", () => {
  const typed = async (reranker: Reranker | undefined, request = {}) =>
    await search(contextWith(reranker), { query: QUERY, typing: true, ...request });

  it("has the own order, and says that the reranker may change it", async () => {
    const own = await ownOrder();
    const reranker = fake((path) => own.indexOf(path));
    const { hits, canImprove } = await typed(reranker);
    expect([pathsOf(hits), canImprove, reranker.asked]).toEqual([own, true, []]);
  });

  it.each([
    ["there is none", undefined, {}],
    ["it is left alone after a failure", { ...fake(() => 0), isAvailable: false }, {}],
    ["the request is without it", fake(() => 0), { rerank: false }],
    ["there is nothing to reorder", fake(() => 0), { limit: 1 }],
  ])("does not say so if %s", async (_, reranker, request) =>
    expect(await typed(reranker, request)).not.toHaveProperty("canImprove"),
  );

  it("is the only one that says so", async () =>
    expect(await search(contextWith(fake(() => 0)), { query: QUERY })).not.toHaveProperty(
      "canImprove",
    ));
});

describe("fusion with ours", () => {
  it("keeps an order that both agree on", async () => {
    const own = await ownOrder();
    const { hits } = await search(contextWith(fake((path) => -own.indexOf(path))), {
      query: QUERY,
    });
    expect(pathsOf(hits)).toEqual(own);
  });

  it("lets its first and last candidate change places with ours", async () => {
    const own = await ownOrder();
    const { hits } = await search(contextWith(fake((path) => own.indexOf(path))), { query: QUERY });
    expect(pathsOf(hits)[0]).toBe(own.at(-1));
    expect(new Set(pathsOf(hits))).toEqual(new Set(own));
  });

  it("counts ranks, not scores: logits of any size give the same", async () => {
    const last = (await ownOrder()).at(-1);
    const [small, large] = await Promise.all(
      [0.01, 1e9].map((score) =>
        search(contextWith(fake((path) => (path === last ? score : -score))), { query: QUERY }),
      ),
    );
    expect(pathsOf(small?.hits ?? [])).toEqual(pathsOf(large?.hits ?? []));
  });

  it("keeps our order where it scores all the same", async () => {
    const { hits } = await search(contextWith(fake(() => 0)), { query: QUERY });
    expect(pathsOf(hits)).toEqual(await ownOrder());
  });

  it("gives scores that never rise down the list", async () => {
    const own = await ownOrder();
    const { hits } = await search(contextWith(fake((path) => own.indexOf(path))), { query: QUERY });
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it("asks about the first candidates only, and keeps the rest behind them", async () => {
    const own = await ownOrder();
    const reranker = fake((path) => own.indexOf(path), 3);
    const { hits } = await search(contextWith(reranker), { query: QUERY });
    expect(reranker.asked[0]).toHaveLength(3);
    expect(pathsOf(hits).slice(3)).toEqual(own.slice(3));
    expect(pathsOf(hits)[0]).toBe(own[2]);
  });

  it("brings up what our limit would have cut off", async () => {
    const own = await ownOrder();
    const reranker = fake((path) => own.indexOf(path));
    const { hits } = await search(contextWith(reranker), { query: QUERY, limit: 2 });
    expect(pathsOf(hits)[0]).toBe(own.at(-1));
    expect(hits).toHaveLength(2);
  });
});

it("keeps a definition first that was asked for by name", async () => {
  const lanes = lanesOf(
    embedded("src/pool.ts", "open pool", "openPool:function"),
    embedded("src/use.ts", "openPool openPool openPool call"),
    embedded("src/other.ts", "openPool once"),
  );
  for (const query of ["openPool", "how does openPool work"]) {
    const own = await ownOrder(lanes, query);
    expect(own[0]).toBe("src/pool.ts");
    const context = contextWith(
      fake((path) => own.indexOf(path)),
      lanes,
    );
    const { hits } = await search(context, { query });
    expect(pathsOf(hits)).toEqual([own[0], own[2], own[1]]);
  }
});

it("sends path, qualified name, signature and the lines, as a reader sees them", async () => {
  const lanes = lanesOf(
    embedded("src/pool.ts", "open the pool", "Pool.open:method"),
    embedded("src/use.ts", "the pool"),
  );
  const reranker = fake(() => 1);
  await search(contextWith(reranker, lanes), { query: "open the pool" });
  // Lines come from readLines, which masks secrets and knows unsaved text.
  expect(reranker.asked).toEqual([
    ["src/pool.ts\nPool.open\nPool.open\n/app/src/pool.ts 0-0", "src/use.ts\n/app/src/use.ts 0-0"],
  ]);
});

describe("a failure", () => {
  const broken = (): Fake => ({
    ...fake(() => 0),
    rerank: async () => {
      throw new Unavailable("the reranker at host does not answer (status 429)", "wait");
    },
  });

  it("leaves our order, with one warning, and is not cached", async () => {
    const context = contextWith(broken());
    const { hits, warnings } = await search(context, { query: QUERY });
    expect(pathsOf(hits)).toEqual(await ownOrder());
    expect(warnings).toEqual([
      "not reranked: the reranker at host does not answer (status 429): wait",
    ]);
    expect((await search(context, { query: QUERY })).cache).toBe("miss");
  });

  it("is not asked about, nor warned of again, while the reranker is left alone", async () => {
    const reranker = { ...fake(() => 0), isAvailable: false };
    const context = contextWith(reranker);
    const first = await search(context, { query: QUERY });
    expect([first.warnings, reranker.asked]).toEqual([[], []]);
    // The next answer may be better, so this one is not kept.
    reranker.isAvailable = true;
    expect((await search(context, { query: QUERY })).cache).toBe("miss");
    expect(reranker.asked).toHaveLength(1);
  });
});

it("is cancelled with its search, which fails as cancelled", async () => {
  const controller = new AbortController();
  const reranker: Reranker = {
    ...fake(() => 0),
    rerank: (_query, _documents, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
        controller.abort();
      }),
  };
  const asked = search(contextWith(reranker), { query: QUERY }, controller.signal);
  await expect(asked).rejects.toThrow("aborted");
});

it("is cached with the query, apart from answers of other rerankers", async () => {
  const reranker = fake(() => 0);
  const context = contextWith(reranker);
  await search(context, { query: QUERY });
  expect((await search(context, { query: QUERY })).cache).toBe("exact");
  expect(reranker.asked).toHaveLength(1);
  const without = { ...context, reranker: undefined };
  expect((await search(without, { query: QUERY })).cache).not.toBe("exact");
  const other = { ...context, reranker: { ...fake(() => 0), id: "fake:other" } };
  expect((await search(other, { query: QUERY })).cache).not.toBe("exact");
});

it("is a stage of the analysis with its duration", async () => {
  const own = await ownOrder();
  const reranker = fake((path) => own.indexOf(path));
  const { stages, hits } = await analyze(contextWith(reranker), { query: QUERY });
  const stage = stages.find(({ name }) => name === "rerank");
  expect(stage).toMatchObject({ count: own.length, notes: { model: "fake:model" } });
  expect(stage?.ms).toBeGreaterThanOrEqual(0);
  const why = hits[0]?.why?.find(({ name }) => name === "rerank");
  expect(why?.detail).toBe(`rank 1 of ${own.length} by fake:model, ${own.length} before`);
  expect(hits[0]?.ranks["rerank"]).toBe(1);
});

it("is not asked for the list that follows each keystroke", async () => {
  const reranker = fake(() => 0);
  await searchSymbols(contextWith(reranker), QUERY, 10);
  expect(reranker.asked).toEqual([]);
});

it("is not a stage without a reranker", async () => {
  const { stages } = await analyze(contextWith(undefined), { query: QUERY });
  expect(stages.map(({ name }) => name)).not.toContain("rerank");
});
