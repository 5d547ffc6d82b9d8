/** Requests and answers of every MCP tool, for roots of all kinds and several budgets, in golden/conversations.txt. */

import { join } from "node:path";
import { encode } from "gpt-tokenizer";
import { beforeEach, expect, it, vi } from "vitest";
import { BadRequest, Unavailable } from "../../server/common/errors.ts";
import type { RelatedFile } from "../../server/contracts/graph-requests.ts";
import { SESSION_METHOD_NAMES, type Session } from "../../server/contracts/session.ts";
import { RootedSession } from "../../server/mcp/rooted-session.ts";
import { ANSWER, HIT, INDEX, STATUS } from "../cli/run-cli.ts";
import { callsOf } from "../support/calls.ts";
import { connectClient } from "../support/linked-mcp-client.ts";
import { COMMIT, SHAPING } from "../support/sample-commits.ts";
import {
  EMPTY_CONTEXT,
  NEAR_FILE,
  NO_OCCURRENCES,
  occurrencesIn,
} from "../support/small-answers.ts";

const golden = (name: string) => join(import.meta.dirname, "golden", name);

/** The output on stderr. */
const logged: string[] = [];
beforeEach(() => {
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    logged.push(String(text).split("\n", 1)[0] ?? "");
    return true;
  });
  return () => vi.restoreAllMocks();
});

interface Question {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly session?: Partial<Session>;
  /** The roots of the client. Default: the folder of the command line. */
  readonly roots?: readonly string[];
}

async function converse({ tool, args, session = {}, roots }: Question): Promise<string> {
  const lines = [
    `== ${tool} ${JSON.stringify(args)}${roots === undefined ? "" : ` in ${roots.join(" ")}`}`,
  ];
  const methods = Object.fromEntries(
    SESSION_METHOD_NAMES.map((name) => [
      name,
      async (...given: readonly unknown[]) => {
        if (name !== "status") lines.push(`asks ${shortened([name, ...given])}`);
        const answer = { ...SESSION, ...session }[name];
        if (answer === undefined) throw new Error(`the test does not answer ${name}`);
        return await Reflect.apply(answer, undefined, given);
      },
    ]),
  );
  const recorded = { ...methods, onEvent: () => undefined } as unknown as Session;
  const rooted = new RootedSession({
    connect: async () => recorded,
    // The session of a test does not change, so a tool need not wait for more.
    env: {
      COCOSEARCH_INDEX_NAME: "shop",
      COCOSEARCH_NOTHING: "x",
      COCOSEARCH_MCP_WAIT_SECONDS: "0",
    },
    folder: "/code/shop",
    isNamed: true,
    note: (sentence) => lines.push(`notes ${sentence}`),
  });
  const client = await connectClient(rooted, roots);
  // The client checks answers against the shapes of this list. It also waits until the roots are known.
  await client.listTools();
  const answer = await client.callTool({ name: tool, arguments: args }).catch((error: Error) => ({
    content: [{ type: "text" as const, text: `refused: ${error.message}` }],
    structuredContent: undefined,
    isError: true,
  }));
  for (const part of answer.content) if (part.type === "text") expectShortLines(part.text);
  for (const part of answer.content)
    if (part.type === "text") lines.push(answer.isError ? "-- failure" : "-- text", part.text);
  expect(answer.structuredContent === undefined).toBe(answer.isError === true);
  if (answer.structuredContent !== undefined)
    lines.push("-- data", JSON.stringify(answer.structuredContent));
  await client.close();
  lines.push(...logged.splice(0).map((line) => `logs ${line}`));
  return lines.join("\n");
}

function expectShortLines(text: string): void {
  expect(text.split("\n").filter((line) => line.length > 400)).toEqual([]);
}

/** Signals have nothing to say. */
const shortened = (given: readonly unknown[]) =>
  JSON.stringify(given.filter((each) => !(each instanceof AbortSignal)));

const ROOT = "/code/shop";
/** With a root that is the same on every machine, because cursors depend on it. */
const STATUS_OF_SHOP = {
  ...STATUS,
  indexes: STATUS.indexes.map((each) => ({ ...each, root: ROOT })),
};
const near: RelatedFile = { ...NEAR_FILE, confidence: 0.9 };
const far: RelatedFile = {
  ...near,
  path: "src/cart.ts",
  hops: 2,
  types: ["call"],
  dependent: true,
};

const site = (path: string, caller: string) => ({
  root: ROOT,
  path,
  line: 4,
  caller,
  target: { path: "src/pool.ts", line: 1, name: "Pool.open" },
  confidence: 0.912,
  how: "typed receiver",
});
const HITS = [
  { ...HIT, root: ROOT, importers: 3 },
  {
    ...HIT,
    root: ROOT,
    path: "src/plain.ts",
    symbol: undefined,
    score: 0.4,
    text: "one\n\ttwo\n",
  } as unknown as typeof HIT,
  {
    ...HIT,
    root: ROOT,
    path: "src/long.ts",
    text: `${"x".repeat(250)}\n${"line\n".repeat(20)}`,
    contextRange: { start: 2, end: 30 },
  },
];
/** Hits of one file, with further places. */
const LONG_NAMES = [1, 2, 3].map((n) => {
  const symbol = { ...HIT.symbol, name: `open${"Long".repeat(60)}${n}` } as NonNullable<
    typeof HIT.symbol
  >;
  const places = [symbol, symbol].map((each) => ({ lines: HIT.lines, symbol: each }));
  return { ...HIT, root: ROOT, path: `src/${"folder/".repeat(30)}a.ts`, symbol, places };
});
const CONTEXT: Awaited<ReturnType<Session["context"]>> = {
  ...EMPTY_CONTEXT,
  text: "# code\n",
  items: [
    {
      index: "shop",
      root: ROOT,
      path: "src/a.ts",
      lines: { start: 0, end: 4 },
      level: "full",
      score: 1,
      symbol: {
        name: "open",
        type: "function",
        signature: "function open()",
        lines: { start: 1, end: 4 },
      },
    },
    {
      index: "shop",
      root: ROOT,
      path: "src/b.ts",
      lines: { start: 2, end: 2 },
      level: "signature",
      score: 1,
    },
  ],
  leftOut: 2,
};

/** Answers of an engine that knows a little. */
const SESSION: Partial<Session> = {
  configure: async () => undefined,
  openFolders: async () => [],
  status: async () => STATUS_OF_SHOP,
  search: async () => ({ ...ANSWER, hits: HITS }),
  occurrences: async () => occurrencesIn(ROOT),
  similar: async () => ({
    ...ANSWER,
    hits: [...HITS, { ...HIT, root: "/elsewhere" }],
    subject: { root: ROOT, path: "src/pool.ts", lines: { start: 3, end: 6 } },
  }),
  context: async () => CONTEXT,
  related: async () => ({
    files: [near, far, { ...near, path: "../outside.ts" }, { ...near, via: "../outside.ts" }],
    packages: [
      { name: "zod", line: 2 },
      { name: "yaml", line: 0 },
    ],
    total: 9,
  }),
  impact: async () => ({
    changed: [],
    files: [
      { ...near, reason: "graph" },
      { ...far, reason: "both", coChange: 0.5 },
      { path: "docs.md", reason: "co-change", coChange: 0.5 },
      { path: "pool_test.ts", reason: "name" },
      { path: "../outside.ts", reason: "name" },
    ],
    total: 6,
    tests: ["test/pool.test.ts", "../outside.test.ts"],
    testsTotal: 5,
    coChanged: [],
    coChangedTotal: 0,
    notIndexed: [],
  }),
  callers: async ({ name, limit = 9 }) =>
    name === "none"
      ? callsOf([])
      : name === "all"
        ? callsOf(
            Array.from({ length: limit }, () => site("src/a.ts", "open")),
            1_234,
          )
        : callsOf(
            [site("src/a.ts", "open"), site("src/b.ts", ""), site("../c.ts", "x")].slice(0, limit),
            3,
          ),
  symbols: async () => [],
  callees: async () => callsOf([site("src/a.ts", "open"), site("src/b.ts", "")]),
  history: async () => ({
    commits: [COMMIT, { ...COMMIT, root: ROOT, hunks: [] }],
    history: { state: "reading", reason: "it is long", commits: 7, total: 9 },
    warnings: ["a", "b", "c"],
  }),
  explain: async () => ({
    commits: [SHAPING, { ...SHAPING, lines: [], paragraph: "", patch: "" }],
    origins: [{ line: 3, sha: "0123" }, { line: 4, sha: "0123" }, { line: 5 }],
    neighbors: [],
    summary: "",
  }),
};

const related = (
  relation: string,
  of: string,
  more: Partial<Question> & { args?: object } = {},
) => ({
  tool: "related",
  ...more,
  args: { relation, of, ...more.args },
});
const failing = (error: Error): Partial<Session> => ({
  search: async () => {
    throw error;
  },
});
const search = (more: Partial<Question> = {}): Question => ({
  tool: "search_code",
  ...more,
  args: { query: "pool", ...more.args },
});
const places = (
  args: Readonly<Record<string, unknown>>,
  more: Partial<Question> = {},
): Question => ({ tool: "search_code", args, ...more });
/** Two files with a hundred places each, from the twentieth on. */
const manyPlaces = () => {
  const { files, ...answer } = occurrencesIn(ROOT);
  const many = files.slice(0, 2).map((file) => ({
    ...file,
    places: Array.from({ length: 100 }, (_, line) => ({
      line,
      column: 4,
      length: 4,
      text: "    open(the, shop, early);",
    })),
  }));
  return { ...answer, files: many, start: "20.1205.abc", cursor: "220.1205.abc" };
};
const unknown: Partial<Session> = {
  similar: async () => {
    throw new BadRequest("it does not exist");
  },
};
const nothing: Partial<Session> = { search: async () => ({ ...ANSWER, hits: [] }) };
/** Three folders, one without git. */
const SEVERAL = [
  { ...INDEX, name: "api", pending: 3, secrets: 2, excluded: {} },
  { ...INDEX, name: "web", branch: `feature/${"long-".repeat(20)}name`, behind: 0 },
  { ...INDEX, name: "notes", commit: undefined, branch: undefined } as unknown as typeof INDEX,
  { ...INDEX, name: "docs", excluded: { [`docs/.gitignore:9 ${"x".repeat(80)}`]: 50 } },
];
const off: Partial<Session> = {
  history: async () => ({
    commits: [],
    history: { state: "off", reason: "history.enabled is false", commits: 0, total: 0 },
    warnings: [],
  }),
};
const BOTH = ["file:///code/shop", "file:///code/other"];
const edges = [
  { ...near, root: ROOT },
  { ...far, root: ROOT },
];

const questions: readonly Question[] = [
  search(),
  search({
    args: { limit: 3, paths: ["src/**"], languages: ["go"], symbolTypes: ["class"], related: true },
  }),
  search({ args: { maxTokens: 199 } }),
  search({ args: { limit: 51 } }),
  search({ args: { query: "" } }),
  search({ args: { cursor: "page 2" } }),
  search({ session: { search: async () => ({ ...ANSWER, hits: HITS, more: 17 }) } }),
  search({
    args: { maxTokens: 200 },
    session: {
      search: async () => ({ ...ANSWER, hits: Array.from({ length: 9 }, () => HITS).flat() }),
    },
  }),
  search({ args: { nothing: 1 } }),
  search({
    roots: BOTH,
    session: { search: async () => ({ ...ANSWER, hits: HITS, related: edges }) },
  }),
  search({
    session: {
      search: async () => ({ ...ANSWER, hits: [], related: [], state: "indexing", indexed: 1 }),
    },
  }),
  search({
    session: {
      search: async () => ({ ...ANSWER, hits: [], warnings: ["w".repeat(400), "b", "c"] }),
    },
  }),
  search({
    session: {
      search: async () => ({
        ...ANSWER,
        hits: [{ ...HIT, root: ROOT, contextRange: { start: 30, end: 31 }, text: "a\n  b" }],
      }),
    },
  }),
  search({ session: { ...nothing, openFolders: async () => ["it is large"] } }),
  search({ session: { ...nothing, status: async () => ({ ...STATUS, indexes: [] }) } }),
  search({ session: failing(new BadRequest("lang: is none")) }),
  search({ session: failing(new Unavailable("it is down", "start it")) }),
  search({ session: failing(new Error("secret")) }),
  search({ roots: ["https://example.com/x"], session: nothing }),
  search({ roots: [], session: nothing }),
  places({ exact: "open" }),
  places({
    pattern: "async.*lock",
    query: "retry after failure",
    ignoreCase: true,
    paths: ["src/**"],
    languages: ["ts"],
    limit: 50,
    cursor: "3.1205.abc",
  }),
  places({ exact: "open", maxTokens: 200 }, { roots: BOTH }),
  places(
    { exact: "open", maxTokens: 250, cursor: "20.1205.abc" },
    { session: { occurrences: async () => manyPlaces() } },
  ),
  places({ exact: "open" }, { session: { occurrences: async () => NO_OCCURRENCES } }),
  places({ exact: "a", pattern: "b" }),
  places({ exact: "a\nb" }),
  places({ exact: "" }),
  places({ pattern: "a".repeat(1_001) }),
  places({ exact: "open", terms: ["x"] }),
  places({ exact: "open", seen: true }),
  places({}),
  search({
    session: {
      search: async () => ({ ...ANSWER, hits: [], state: "no-root", indexed: 0, total: 0 }),
    },
  }),
  search({ session: { search: async () => ({ ...ANSWER, state: "degraded" }) } }),
  search({ session: { search: async () => ({ ...ANSWER, hits: [], state: "paused" }) } }),
  search({ session: { ...nothing, status: async () => ({ ...STATUS, indexes: SEVERAL }) } }),
  search({ session: { search: async () => ({ ...ANSWER, hits: LONG_NAMES }) } }),
  { tool: "get_context", args: { question: "how" } },
  {
    tool: "get_context",
    args: { question: "how" },
    session: { context: async () => ({ ...CONTEXT, text: `# code\n${"word ".repeat(200)}\n` }) },
  },
  related("dependents", `${"../".repeat(10)}${"deep/".repeat(150)}a.ts`),
  {
    tool: "get_context",
    args: { question: "how", paths: ["a"], languages: ["go"], maxTokens: 1000 },
    roots: BOTH,
  },
  {
    tool: "get_context",
    args: { question: "how" },
    session: { context: async () => ({ ...CONTEXT, text: "", items: [] }) },
  },
  related("dependencies", "src/a.ts"),
  related("dependencies", "src/a.ts", { args: { depth: 2, limit: 5, maxTokens: 200 } }),
  related("dependents", "/code/other/src/a.ts", { roots: BOTH }),
  related("dependents", "../a.ts"),
  related("impact", "src/a.ts", { args: { depth: 3 } }),
  related("callers", "Pool.open"),
  related("callers", "all", { args: { limit: 1 } }),
  related("callers", "all", { args: { limit: 30, maxTokens: 300 } }),
  related("callers", "all", { args: { cursor: "10-Xk3v9QmA-b7_0cD2e" } }),
  related("callees", "Pool.open"),
  related("similar", "src/pool.ts:40"),
  related("similar", "src/pool.ts:40-50"),
  related("similar", "Gson.toJson", { session: unknown }),
  related("similar", "src/none.ts:4", { session: unknown }),
  related("other", "src/pool.ts"),
  related("callers", "none"),
  {
    tool: "find_pattern",
    args: {
      query: "retries",
      limit: 3,
      paths: ["a"],
      author: "ada",
      since: "90d",
      until: "2024-01-01",
      maxTokens: 250,
    },
  },
  { tool: "find_pattern", args: { query: "retries", since: "never" } },
  { tool: "find_pattern", args: { query: "retries" }, session: off },
  { tool: "explain_change", args: { path: "src/a.ts" } },
  { tool: "explain_change", args: { path: "src/a.ts", startLine: 3, endLine: 9 }, roots: BOTH },
  { tool: "explain_change", args: { path: "src/a.ts", startLine: 9, endLine: 3 } },
  { tool: "explain_change", args: { path: "../a.ts" } },
  { tool: "nothing", args: {} },
];

it("Every agent receives the recorded answers", async () => {
  const said: string[] = [];
  for (const question of questions) said.push(await converse(question));
  expect(said.join("\n")).not.toContain("Output validation error");
  await expect(`${said.join("\n\n")}\n`).toMatchFileSnapshot(golden("conversations.txt"));
});

it.each<[string, Record<string, unknown>]>([
  ["search_code", {}],
  ["search_code", { query: "x", maxTokens: 1_000_000 }],
  ["search_code", { query: "x", maxTokens: 0 }],
  ["get_context", { question: "x", maxTokens: 10_000_000 }],
  ["get_context", { question: 7 }],
  ["get_context", { question: "" }],
  ["get_context", { question: "x", maxTokens: -1 }],
  ["related", { of: "src/pool.py" }],
  ["related", { relation: "callers", of: "x", depth: 6 }],
  ["find_pattern", { query: "" }],
  ["find_pattern", { query: "x", patch: true }],
  ["explain_change", { path: "src/pool.py", startLine: 0 }],
])("%s refuses %j", async (tool, args) => {
  const said = await converse({ tool, args });
  expect(said).toContain("-- failure");
  expect(said).not.toContain("this is a bug");
});

it.each<[string, Record<string, unknown>]>([
  ["related", { relation: "impact", of: "/etc/passwd" }],
  ["explain_change", { path: "/etc/passwd" }],
  ["explain_change", { path: "src/../../elsewhere.ts" }],
])("%s keeps %j to the workspace", async (tool, args) => {
  expect(await converse({ tool, args })).toContain("is outside the workspace");
});

it("A root is refused as a file", async () => {
  const said = await converse(related("dependents", "."));
  expect(said).toContain("is a folder; name a file in it");
});

it("The tools have the recorded descriptions", async () => {
  const rooted = new RootedSession({
    connect: () => Promise.reject(new Error("nobody asks")),
    env: {},
    folder: "/code",
    isNamed: true,
    note: () => undefined,
  });
  const client = await connectClient(rooted);
  const { tools } = await client.listTools();
  const known = {
    version: client.getServerVersion(),
    instructions: client.getInstructions(),
    tools,
  };
  await client.close();
  for (const { description, annotations } of tools) {
    expect(annotations?.readOnlyHint).toBe(true);
    expect(description).toMatch(/Use it .*(?:Do not use it|use search_code|read the file)/s);
  }
  // A model reads all but the output schemas, which are for the client.
  const read = tools.map((tool) => ({ ...tool, outputSchema: undefined }));
  expect(encode(JSON.stringify(read)).length).toBeLessThanOrEqual(1_500);
  await expect(`${JSON.stringify(known, null, 1)}\n`).toMatchFileSnapshot(golden("tools.json"));
});
