/** Packing a context over small workspaces: the passages, their lengths, and the budget. */

import { encode } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";
import { packContext } from "../../server/context/context.ts";
import type { ContextSources, Neighbor } from "../../server/context/sources.ts";
import type { ContextRequest } from "../../server/contracts/context-request.ts";
import type { CodeSymbol, Hit, Lines } from "../../server/contracts/model.ts";

/** The length of every file in lines. */
const FILE_LENGTH = 200;
const WHOLE: Lines = { start: 0, end: 9 };

function symbol(name: string, lines: Lines, type: CodeSymbol["type"] = "function"): CodeSymbol {
  return { name, type, signature: `${name}()`, lines, nameLine: lines.start };
}

function hit(path: string, more: Partial<Hit> = {}): Hit {
  const lines = more.lines ?? WHOLE;
  const found = { index: "app", root: "/app", path, lines, contextRange: lines, score: 0.5 };
  return { ...found, relevance: "strong", matchType: "both", languageId: "typescript", ...more };
}

async function* eachOf<T>(all: readonly T[]): AsyncGenerator<T, void> {
  yield* all;
}

/** Each line of a file contains its own place. */
function sourcesOf(
  hits: readonly Hit[],
  {
    definitions = [] as readonly CodeSymbol[],
    line = (path: string, n: number) => `${path} ${n}`,
    asked = [] as unknown[],
    neighbors = (_places: unknown): AsyncIterable<Neighbor> => eachOf([]),
  } = {},
): ContextSources {
  return {
    search: async (request) => {
      asked.push(request);
      const { paths } = request;
      return { hits: paths ? hits.filter(({ path }) => paths.includes(path)) : hits, warnings: [] };
    },
    readLines: async (_root, path, { start, end }) =>
      Array.from({ length: Math.min(end + 1, FILE_LENGTH) - start }, (_, i) =>
        line(path, start + i),
      ),
    definitions: async () => definitions,
    neighbors,
  };
}

const contextOf = (hits: readonly Hit[], request: Partial<ContextRequest> = {}, more = {}) =>
  packContext(sourcesOf(hits, more), { query: "how is it done", ...request });
const headersOf = (text: string) => text.match(/^## .*/gm);

describe("the shown code", () => {
  it("shows the best files in full, with path and lines", async () => {
    const { text, items } = await contextOf([hit("a.ts", { symbol: symbol("load", WHOLE) })]);
    expect(text).toMatch(/^## a\.ts:1-10 load\n```typescript\na\.ts 0\n/);
    expect(items).toMatchObject([{ path: "a.ts", lines: WHOLE, level: "full" }]);
  });

  it("puts overlapping results of a file together, and leaves out the lines between distant ones", async () => {
    const hits = [
      hit("a.ts", { lines: { start: 0, end: 4 } }),
      hit("a.ts", { lines: { start: 3, end: 8 } }),
      hit("a.ts", { lines: { start: 90, end: 91 } }),
    ];
    const { text } = await contextOf(hits);
    expect(headersOf(text)).toEqual(["## a.ts:1-9,91-92"]);
    expect(text.match(/^\.\.\.$/gm)).toHaveLength(1);
  });

  it("shows a class that is too long as its outline, and the method that was found in full", async () => {
    const klass = symbol("Pool", { start: 0, end: 199 }, "class");
    const methods = [10, 50, 100].map((start) =>
      symbol(`Pool.m${start}`, { start, end: start + 9 }, "method"),
    );
    const found = hit("a.ts", {
      lines: { start: 50, end: 54 },
      contextRange: { start: 0, end: 199 },
      symbol: klass,
    });
    const { text, items } = await contextOf(
      [found],
      { tokenBudget: 200 },
      {
        definitions: [klass, ...methods],
      },
    );
    expect(items[0]?.level).toBe("outline");
    for (const n of [0, 10, 50, 54, 100]) expect(text).toMatch(new RegExp(`^a.ts ${n}$`, "m"));
    expect(text).not.toMatch(/^a\.ts 20$/m);
  });

  it("names code that does not fit, and continues after it", async () => {
    const long = hit("long.ts", { symbol: symbol("long", WHOLE) });
    const short = hit("short.ts", { lines: { start: 0, end: 1 } });
    const line = (path: string, n: number) => (path === "long.ts" ? "word ".repeat(99) : `x${n}`);
    const { text } = await contextOf([long, short], { tokenBudget: 100 }, { line });
    expect(text).toContain("- long.ts:1 long()");
    expect(text).toContain("## short.ts:1-2");
  });

  it("shows no heading without its text: a reference says the same", async () => {
    const prose = { languageId: "markdown", symbol: symbol("Pools", WHOLE, "class") };
    const line = (path: string, n: number) => (n === 0 ? `${path} ${n}` : "word ".repeat(99));
    const found = [hit("pool.md", prose), hit("a.ts", { symbol: symbol("open", WHOLE) })];
    const { text } = await contextOf(found, { tokenBudget: 60 }, { line });
    expect(headersOf(text)?.[0]).toBe("## a.ts:1 open");
    expect(text).not.toContain("## pool.md");
  });

  it("fills the rest of the budget with other definitions of the first file, and first with names like the question", async () => {
    const found = hit("a.ts", { symbol: symbol("load", WHOLE) });
    const definitions = [
      symbol("load", WHOLE),
      symbol("save", { start: 20, end: 29 }),
      symbol("closeCache", { start: 40, end: 49 }),
    ];
    const query = "load and close the cache";
    const { items } = await contextOf([found], { query }, { definitions });
    expect(items.map((item) => [item.symbol?.name, item.level])).toEqual([
      ["load", "full"],
      ["closeCache", "full"],
      ["save", "full"],
    ]);
  });

  it("names the callees and callers of the first places", async () => {
    const asked: unknown[] = [];
    const neighbors: ContextSources["neighbors"] = (places) => {
      asked.push(places);
      return eachOf([{ root: "/app", path: "log.ts", line: 3 }]);
    };
    const { text, items } = await contextOf([hit("a.ts")], {}, { neighbors });
    expect(asked).toEqual([[{ root: "/app", path: "a.ts", lines: WHOLE }]]);
    expect(text).toContain("- log.ts:4 log.ts 3");
    expect(items.map(({ path, level }) => [path, level])).toEqual([
      ["a.ts", "full"],
      ["log.ts", "signature"],
    ]);
  });

  it("names the further places of a file unless they are shown", async () => {
    const found = hit("a.ts", {
      symbol: symbol("load", WHOLE),
      places: [
        { lines: { start: 120, end: 125 }, symbol: symbol("save", { start: 118, end: 130 }) },
        { lines: { start: 4, end: 6 } },
      ],
    });
    const { text, items } = await contextOf([found]);
    expect(text.match(/^- .*/gm)).toEqual(["- a.ts:119 save()"]);
    expect(items.map((item) => [item.symbol?.name, item.level])).toEqual([
      ["load", "full"],
      ["save", "signature"],
    ]);
  });

  it("names no neighbor that is shown, and each of the others once", async () => {
    const lines = [3, 150, 150];
    const neighbors = () => eachOf(lines.map((at) => ({ root: "/app", path: "a.ts", line: at })));
    const { text } = await contextOf([hit("a.ts")], {}, { neighbors });
    expect(text.match(/^- .*/gm)).toEqual(["- a.ts:151 a.ts 150"]);
  });

  it("asks for no more neighbors than it may name, and one to know that there are more", async () => {
    let given = 0;
    async function* neighbors(): AsyncGenerator<Neighbor, void> {
      for (;;) yield { root: "/app", path: `called${given++}.ts`, line: 3 };
    }
    const { text } = await contextOf([hit("a.ts")], { tokenBudget: 8_000 }, { neighbors });
    const named = text.match(/^- called.*/gm) ?? [];
    // One for each 150 tokens.
    expect([named.length, given]).toEqual([54, 55]);
  });

  it("fences code that has a fence inside", async () => {
    const line = (_path: string, n: number) => (n === 3 ? "`````js" : "text");
    const { text } = await contextOf([hit("a.md")], {}, { line });
    expect(text).toMatch(/^``````typescript\n/m);
  });

  it("prefers several files if the strategy wants them", async () => {
    const hits = [hit("a.ts"), hit("a.ts", { lines: { start: 50, end: 59 } }), hit("b.ts")];
    const orderOf = async (strategy: ContextRequest["strategy"]) =>
      (await contextOf(hits, { strategy })).items.map(({ path }) => path);
    expect(await orderOf("relevance")).toEqual(["a.ts", "a.ts", "b.ts"]);
    expect(await orderOf("diversity")).toEqual(["a.ts", "b.ts", "a.ts"]);
  });

  it.each([
    ["json", (text: string) => JSON.parse(text).files[0].path, 'a ]]> b & \\"c\\"'],
    ["xml", (text: string) => /<file path="([^"]*)"/.exec(text)?.[1], "a ]]]]><![CDATA[> b"],
  ] as const)("writes %s", async (format, pathOf, escaped) => {
    const line = () => 'a ]]> b & "c"';
    const { text } = await contextOf([hit("a.ts")], { format }, { line });
    expect(pathOf(text)).toBe("a.ts");
    expect(text).toContain(escaped);
  });
});

describe("the budget", () => {
  const hits = Array.from({ length: 40 }, (_, i) =>
    hit(`src/part${i}.ts`, { symbol: symbol(`loadPart${i}`, WHOLE) }),
  );
  const line = (path: string, n: number) => `  const value${n} = await load("${path}", ${n});`;

  it.each(
    [1, 20, 60, 200, 1_000, 5_000].flatMap((budget) =>
      (["md", "json", "xml"] as const).map((format) => ({ budget, format })),
    ),
  )("is not exceeded: $budget tokens of $format", async ({ budget, format }) => {
    const request = { tokenBudget: budget, format };
    const { text, tokensUsed } = await contextOf(hits, request, { line });
    expect(encode(text).length).toBeLessThanOrEqual(budget);
    expect(tokensUsed).toBeLessThanOrEqual(budget);
    expect(encode(text).length).toBeGreaterThanOrEqual(budget >= 200 ? budget * 0.6 : 0);
  });

  it("says when nothing fits", async () => {
    const { text, warnings, leftOut } = await contextOf(hits, { tokenBudget: 5 }, { line });
    expect(text).toBe("");
    expect(warnings).toEqual(["nothing that was found fits into 5 tokens"]);
    expect(leftOut).toBe(40);
  });
});

describe("the search", () => {
  it("does not search for small talk when it may decide", async () => {
    const asked: unknown[] = [];
    const answer = await contextOf([], { query: "thanks!", auto: true }, { asked });
    expect(answer.isSearched).toBe(false);
    expect(asked).toEqual([]);
    expect((await contextOf([], { query: "thanks!" }, { asked })).isSearched).toBe(true);
  });

  it("adds the earlier messages to a short reply, after the answers to the reply", async () => {
    const asked: { query: string }[] = [];
    const recent = { recentTerms: ["openPool"], recentFiles: ["old.ts"] };
    const hits = ["a.ts", "b.ts", "c.ts", "old.ts"].map((path) => hit(path));
    const { items } = await contextOf(hits, { query: "and the tests?", ...recent }, { asked });
    expect(asked.map(({ query }) => query)).toEqual(Array(2).fill("and the tests? openPool"));
    expect(items[0]?.path).toBe("a.ts");
  });

  it("ignores the earlier messages for a new question", async () => {
    const asked: { query: string }[] = [];
    const query = "where does UserService refresh its tokens";
    await contextOf([], { query, recentTerms: ["openPool"], recentFiles: ["old.ts"] }, { asked });
    expect(asked.map((each) => each.query)).toEqual([query]);
  });

  it("cuts a message of a megabyte and reports it", async () => {
    const { warnings } = await contextOf([], { query: "a.b ".repeat(250_000) });
    expect(warnings).toEqual(["the message is longer than 100,000 characters and was cut"]);
  });
});
