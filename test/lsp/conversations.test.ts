/** Answers and messages to three kinds of editors, for every command and request, in golden/conversations.txt. */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { CommitHit, ShapingCommit } from "../../server/contracts/history-request.ts";
import type { Hit } from "../../server/contracts/model.ts";
import type { SearchAnswer, Session } from "../../server/contracts/session.ts";
import { callsOf } from "../support/calls.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";
import { EMPTY_CONTEXT, occurrencesIn } from "../support/small-answers.ts";
import { temporaryWorkspace } from "../support/workspace.ts";
import {
  ABLE,
  ANSWER,
  connectClient,
  fakeSession,
  hit,
  METHOD,
  type TestClient,
} from "./test-client.ts";

const golden = (name: string) => join(import.meta.dirname, "golden", name);

let made: ReturnType<typeof temporaryWorkspace>;
/** The opened folder as the editor names it, through a link, and as the index does. */
let [shown, real] = ["", ""];

beforeAll(() => {
  made = temporaryWorkspace();
  real = join(made.root, "real");
  mkdirSync(join(real, "src"), { recursive: true });
  writeFileSync(join(real, "src/a.py"), "one\ntwo\nthree\nfour\n");
  shown = join(made.root, "link");
  symlinkSync(real, shown);
});
afterAll(() => made.remove());

/** Without what differs from run to run. */
function plain(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(pathToFileURL(made.root).href, "file:///code")
    .replaceAll(made.root, "/code")
    .replaceAll(/file:[^"]*\/cocosearch-\w{6}\//g, "file:///texts/");
}

type Answers = TestClient["answers"];

/** The choice of the user, whether the editor shows files, and one of the last messages. */
const EDITORS: Readonly<Record<string, { answers: Answers; last: RegExp }>> = {
  "takes the second": {
    answers: {
      "window/showMessageRequest": ({ actions }: { actions: object[] }) => actions[1] ?? actions[0],
      "window/showDocument": () => ({ success: true }),
    },
    last: /showDocument|showMessage$/,
  },
  "takes none": {
    answers: {
      "window/showMessageRequest": () => null,
      "window/showDocument": () => ({ success: true }),
    },
    last: /show/,
  },
  "cannot show": {
    answers: {
      "window/showMessageRequest": () => {
        throw new Error("no lists here");
      },
      "window/showDocument": () => ({ success: false }),
    },
    last: /showMessage$/,
  },
};

/** Everything that is said after the client has started, as lines. */
async function converse([method, params, session = {}]: Question): Promise<string> {
  const isCommand = method === "workspace/executeCommand";
  const editors = Object.entries(EDITORS).slice(0, isCommand ? 3 : 1);
  const heard = await Promise.all(
    editors.map(async ([editor, { answers, last }], i) => {
      const fake = fakeSession({ ...SESSION, ...session });
      const client = connectClient(fake);
      Object.assign(client.answers, answers);
      await client.start({
        capabilities: ABLE,
        workspaceFolders: [{ uri: pathToFileURL(shown).href, name: "shop" }],
      });
      const [before, asked] = [client.told.length, fake.calls.length];
      const answer = await client.request(method, params).catch((error: Error) => error);
      const told = () =>
        client.told.slice(before).filter((each) => each.method.startsWith("window/show"));
      const calls = fake.calls.slice(asked).map((call) => `asks ${plain(call)}`);
      // Choices are offered shortly after the answer.
      if (isCommand && !(answer instanceof Error))
        await vi.waitUntil(() => told().some((each) => last.test(each.method)), 60_000);
      await client.request("cocosearch/status");
      await client.request("cocosearch/status");
      const shownByServer = told().flatMap((each) => [
        `${each.method} ${plain(each.params)}`,
        ...textOf((each.params as { uri?: string }).uri ?? ""),
      ]);
      const first = [
        ...calls,
        answer instanceof Error ? `refuses: ${plain(answer.message)}` : `answers ${plain(answer)}`,
      ];
      return [...(i === 0 ? first : []), `-- ${editor}`, ...shownByServer];
    }),
  );
  return [`== ${method} ${plain(params)}`, ...heard.flat()].join("\n");
}

/** The content of a file that the server shows. */
function textOf(uri: string): string[] {
  return /\/cocosearch-\w{6}\//.test(uri) && !uri.startsWith(pathToFileURL(made.root).href)
    ? [readFileSync(fileURLToPath(uri), "utf8").replaceAll(/^/gm, "    ")]
    : [];
}

type Question = readonly [method: string, params: unknown, session?: Partial<Session>];

const command = (name: string, ...given: unknown[]) =>
  ["workspace/executeCommand", { command: `cocosearch.${name}`, arguments: given }] as const;

const found = (more: Partial<Hit> = {}) => hit({ root: real, index: "shop", ...more });
const EDGE = { hops: 1, via: "src/a.py", line: 6, types: ["import"], confidence: 0.9 } as const;

const SHAPING: ShapingCommit = {
  sha: "0123456789abcdef",
  subject: "Add a\ttab",
  paragraph: "Because.",
  author: "Ada",
  time: 5,
  age: "2 days ago",
  path: "src/a.py",
  lines: [1, 2],
  patch: "@@ -1 +1 @@\n-a\n+b",
};
const COMMIT: CommitHit = {
  root: "",
  sha: "0123456789abcdef",
  subject: "Add retries",
  author: "Ada",
  time: 5,
  age: "2 days ago",
  files: [],
  hunks: [
    {
      path: "src/a.py",
      lines: { start: 0, end: 1 },
      symbols: ["load"],
      patch: "@@ -1 +1 @@",
      now: { path: "src/b.py", lines: { start: 3, end: 4 } },
    },
    { path: "src/c.py", lines: { start: 0, end: 1 }, symbols: [], now: { path: "src/c.py" } },
    { path: "gone.py", lines: { start: 0, end: 1 }, symbols: [] },
  ],
  same: [],
  score: 1,
  why: [],
};

/** Answers of an engine that knows a little. */
const SESSION: Partial<Session> = {
  search: async () => answerWith({ hits: HITS() }),
  occurrences: async () => occurrencesIn(real),
  similar: async () => ({
    ...answerWith({ hits: HITS().slice(0, 1) }),
    subject: { root: real, path: "src/a.py", lines: { start: 1, end: 2 }, symbol: METHOD },
  }),
  related: async () => ({
    files: [
      { ...EDGE, path: "src/b.py", dependent: true },
      { ...EDGE, path: "src/c.py", dependent: false },
    ],
    packages: [],
    total: 2,
  }),
  impact: async () => ({
    changed: ["src/a.py"],
    files: [
      { ...EDGE, path: "src/b.py", dependent: true, reason: "graph" },
      { ...EDGE, path: "test/b.py", dependent: true, reason: "graph" },
      { path: "src/c.py", reason: "co-change", coChange: 0.5 },
      { path: "src/d.py", reason: "name" },
      { ...EDGE, path: "src/e.py", dependent: false, reason: "both", coChange: 0.25 },
    ],
    total: 5,
    tests: ["test/b.py"],
    testsTotal: 1,
    coChanged: [],
    coChangedTotal: 0,
    notIndexed: [],
  }),
  dependencyPath: async () => ["src/a.py", "src/b.py", "src/c.py"],
  callers: async () => callsOf([site("Shop.start", 4), site("", 9)], 130),
  callees: async () => callsOf([site("Shop.start", 4), site("Shop.stop", 9)]),
  history: async () => ({
    commits: [
      { ...COMMIT, root: real },
      { ...COMMIT, root: real, sha: "f".repeat(40), hunks: [] },
    ],
    history: { state: "ready", commits: 2, total: 2 },
    warnings: [],
  }),
  explain: async () =>
    ({
      ...({ summary: "two commits", commits: [SHAPING, { ...SHAPING, subject: "Fix" }] } as object),
    }) as Awaited<ReturnType<Session["explain"]>>,
  context: async () => CONTEXT,
};

const CONTEXT = { ...EMPTY_CONTEXT, text: "# code" };

const answerWith = (more: Partial<SearchAnswer>): SearchAnswer => ({ ...ANSWER, ...more });
const HITS = () => [
  found({ symbol: METHOD, symbols: [METHOD], otherSymbols: [{ ...METHOD, name: "other" }] }),
  found({ path: "src/a.py", lines: { start: 0, end: 3 }, hierarchy: "deployment" }),
  found({
    path: "b.py",
    bestLine: { line: 6, column: 4, lead: "    ", text: "ä = 1", highlights: [[4, 5]] },
  }),
  found({ path: "chance.py", relevance: "chance" }),
];
const site = (caller: string, line: number) => ({
  root: real,
  path: "src/a.py",
  line,
  caller,
  target: { path: "src/b.py", line: line + 1, name: "Pool.open" },
  confidence: 0.75,
  how: "import",
});
const RELATED = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    ...EDGE,
    root: real,
    path: `src/r${i}.py`,
    dependent: i % 2 === 0,
  }));
const many = (count: number) =>
  Array.from({ length: count }, (_, i) => found({ path: `src/${i}.py` }));
const searching = (more: Partial<SearchAnswer>): Partial<Session> => ({
  search: async () => answerWith(more),
});

const questions = (): Question[] => [
  [...command("search", "get", 5, "user")],
  [...command("search")],
  [...command("search", { query: "x", limit: 0 })],
  [
    ...command("search", "down"),
    searching({ state: "unavailable", warnings: ["it is down", "b"] }),
  ],
  [...command("search", "one"), searching({ hits: many(1), warnings: ["w".repeat(300), "v"] })],
  [...command("search", "many"), searching({ hits: many(12), related: RELATED(3) })],
  [...command("searchLines", "src/a.py:2-3")],
  [...command("searchLines", "src/none.py:1")],
  [...command("similar", "src/a.py:3")],
  [...command("similar", "src/a.py:0")],
  [...command("related", "src/b.py")],
  [...command("related", "/elsewhere/b.py")],
  [...command("impact", "src/a.py")],
  [...command("impact", "--diff", 5)],
  [...command("path", "src/a.py", "src/c.py")],
  [...command("path", "src/a.py", "src/c.py"), { dependencyPath: async () => [] }],
  [...command("path", "src/a.py")],
  [...command("callers", "Pool.open")],
  [...command("callees", "Shop", "start")],
  [...command("history", "when", "retries")],
  [
    ...command("history", "x"),
    {
      history: async () => ({
        commits: [],
        history: { state: "ready", commits: 0, total: 0 },
        warnings: [],
      }),
    },
  ],
  [...command("explain", "src/a.py:2-3")],
  [...command("explain", "src/a.py")],
  [...command("context", "how")],
  [
    ...command("context", "long"),
    { context: async () => ({ ...CONTEXT, text: "x".repeat(2500) }) },
  ],
  [...command("reindex", { full: true })],
  [...command("reindex", { full: 1 })],
  [...command("pause")],
  [...command("resume")],
  [...command("none")],
  ["workspace/executeCommand", { command: "toString" }],
  ["cocosearch/search", { query: "x" }],
  ["cocosearch/search", { query: 5 }],
  ["cocosearch/occurrences", { exact: "open", limit: 3 }],
  ["cocosearch/occurrences", { pattern: "open" }],
  ["cocosearch/occurrences", { query: "open" }],
  ["cocosearch/occurrences", { exact: "a", pattern: "b" }],
  ["cocosearch/occurrences", { exact: "a\0" }],
  ["cocosearch/occurrences", { pattern: "a".repeat(1_001) }],
  ["cocosearch/similar", { uri: at("src/a.py"), position: { line: 2 } }],
  ["cocosearch/similar", { uri: at("src/a.py") }],
  ["cocosearch/related", { textDocument: { uri: at("src/a.py") }, hops: 2 }],
  ["cocosearch/related", { textDocument: null }],
  ["cocosearch/related", { path: "src/a.py" }],
  ["cocosearch/impact", { paths: ["src/a.py"] }],
  ["cocosearch/path", { from: "a", to: "b" }],
  ["cocosearch/callers", { name: "load" }],
  ["cocosearch/callees", { name: "load", limit: 5 }],
  ["cocosearch/history", { query: "x" }],
  ["cocosearch/explain", { uri: at("src/a.py"), range: range(1, 0, 3, 0) }],
  ["cocosearch/explain", { uri: at("src/a.py"), range: range(1, 0, 3, 2) }],
  ["cocosearch/explain", { uri: at("src/a.py"), range: { start: { line: 1 } } }],
  ["cocosearch/context", { query: "x" }],
  ["cocosearch/context", { query: "x", format: "json" }],
  ["cocosearch/reindex", { folder: at("src"), full: true }],
  ["cocosearch/reindex", { folder: 5 }],
  ["cocosearch/clear", { name: "shop" }],
  ["cocosearch/clear", {}],
];

const at = (path: string) => pathToFileURL(join(shown, path)).href;
const range = (line: number, character: number, endLine: number, endCharacter: number) => ({
  start: { line, character },
  end: { line: endLine, character: endCharacter },
});

it("Every editor receives the recorded messages", async () => {
  const said = await Promise.all(questions().map(converse));
  await expect(`${said.join("\n\n")}\n`).toMatchFileSnapshot(golden("conversations.txt"));
});

leaveNothingBehind();
