/** What every command asks of the engine, prints, notes, and how it ends: read golden/conversations.txt. */

import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type {
  ExportedEdge,
  ExportedEdges,
  RelatedFile,
} from "../../server/contracts/graph-requests.ts";
import type { CommitHit, Explanation } from "../../server/contracts/history-request.ts";
import type { Hit } from "../../server/contracts/model.ts";
import {
  type ContextAnswer,
  SESSION_METHOD_NAMES,
  type SearchAnswer,
  type Session,
  type Status,
} from "../../server/contracts/session.ts";
import { temporaryWorkspace, write } from "../support/workspace.ts";
import { ANALYSIS, ANSWER, HIT, RECORD, run, type Setting, STATUS } from "./run-cli.ts";

const golden = (name: string) => join(import.meta.dirname, "golden", name);

let made: ReturnType<typeof temporaryWorkspace>;
let root = "";

beforeAll(() => {
  made = temporaryWorkspace();
  root = join(made.root, "shop");
  write(
    made.root,
    `
//- shop/cocosearch.yaml
//- shop/src/pool.ts
one
//- shop/src/deep/cart.ts
//- shop/query.txt
where is the pool?
second line
//- other/cocosearch.yaml
//- other/a.ts
//- bare/b.ts
`,
  );
  mkdirSync(join(made.root, "empty"));
  symlinkSync(root, join(made.root, "link"));
});
afterAll(() => made.remove());

type Question = readonly [
  args: string,
  session?: Partial<Session>,
  setting?: Omit<Setting, "session">,
];

/** Without what differs from run to run. */
function plain(text: string): string {
  return text
    .replaceAll(realpathSync(made.root), "/work")
    .replaceAll(/after \d+(?:\.\d+)? (?:ms|s)/g, "after TIME")
    .replaceAll("\u001b", "<ESC>");
}

async function converse([args, session = {}, setting = {}]: Question): Promise<string> {
  const asked: string[] = [];
  const recorded = Object.fromEntries(
    SESSION_METHOD_NAMES.map((name) => [
      name,
      (...given: unknown[]) => {
        if (!QUIET.has(name)) asked.push(`asks ${plain(JSON.stringify([name, ...given]))}`);
        const answer = { ...SESSION(), ...session }[name];
        if (answer === undefined) throw new Error(`the test does not answer ${name}`);
        return Reflect.apply(answer, undefined, given);
      },
    ]),
  );
  const cwd = setting.cwd === undefined ? root : join(made.root, setting.cwd);
  const { code, out, err } = await run(args.split(" "), { ...setting, cwd, session: recorded });
  const notes = err === "" ? [] : [`-- stderr\n${plain(err).trimEnd()}`];
  const where = cwd === root ? "" : ` (in ${setting.cwd})`;
  const head = `== ${args}${where}${setting.terminal ? " (terminal)" : ""}`;
  return [head, ...asked, ...notes, "-- stdout", plain(out).trimEnd(), `-- exit ${code}`].join(
    "\n",
  );
}

/** They are asked by nearly every command, and as often as it takes. */
const QUIET = new Set<string>(["configure", "status", "whenIdle", "list"]);

const NEAR: RelatedFile = {
  path: "src/pool.ts",
  hops: 1,
  via: "src/shop.ts",
  line: 4,
  types: ["import", "call"],
  dependent: false,
  confidence: 0.912,
};
const FAR = {
  ...NEAR,
  path: "src/ca\u0007rt.ts",
  hops: 2,
  types: ["call"],
  line: 0,
  dependent: true,
};

const EXPLANATION: Explanation = {
  commits: [
    {
      sha: "0123456789abcdef",
      subject: "Open the \u001b[31mpool",
      paragraph: "Because.\nTwice.",
      author: "Ada",
      time: 5,
      age: "2 days ago",
      path: "src/pool.ts",
      lines: [1, 2],
      patch: "@@ -1 +1 @@\n-a\n+b",
    },
    {
      sha: "ff23456789abcdef",
      subject: "Begin",
      paragraph: "",
      author: "Bob",
      time: 4,
      age: "3 days ago",
      path: "src/old.ts",
      lines: [3],
      patch: "",
    },
  ],
  origins: [{ line: 1, sha: "0123456789abcdef" }, { line: 2, sha: "0123" }, { line: 3 }],
  neighbors: [],
  summary: "",
};

const COMMIT: CommitHit = {
  root: "/work/shop",
  sha: "0123456789abcdef",
  subject: "Add retries",
  author: "Ada",
  time: 5,
  age: "2 days ago",
  files: [{ path: "src/pool.ts", status: "modified" }],
  hunks: [],
  same: [],
  score: 0.5,
  why: [],
};

const CONTEXT: ContextAnswer = {
  text: "# code\n\n",
  items: [],
  tokensUsed: 9,
  tokenBudget: 4000,
  intent: "how",
  confidence: 0.987,
  signals: [],
  isSearched: true,
  leftOut: 2,
  warnings: [],
  state: "ready",
  indexed: 3,
  total: 3,
};

const imports = (from: string, to: string): ExportedEdge => ({
  kind: "import",
  from,
  to,
  line: 0,
  confidence: 1,
  how: "relative",
});
/** A cycle of three, a pair, what all of them use, and a file alone; in two parts. */
const PARTS: readonly ExportedEdges[] = [
  {
    files: ["a/one.ts", "a/two.ts", "a/three.ts", "b/x.ts"],
    edges: [
      imports("a/one.ts", "a/two.ts"),
      imports("a/two.ts", "a/three.ts"),
      imports("a/three.ts", "a/one.ts"),
      imports("a/three.ts", "a/gone.ts"),
      imports("a/one.ts", "base.ts"),
    ],
    next: 1,
  },
  {
    files: ["b/y.ts", "base.ts", 'od"d.ts', "top.ts"],
    edges: [
      imports("b/x.ts", "b/y.ts"),
      imports("b/y.ts", "b/x.ts"),
      imports("b/y.ts", "base.ts"),
      imports("top.ts", "a/one.ts"),
      imports("top.ts", "base.ts"),
      { ...imports("b/x.ts", "base.ts"), kind: "reference" } as ExportedEdge,
    ],
  },
];

const site = (more: object = {}) => ({
  root,
  path: "src/shop.ts",
  line: 4,
  caller: "open",
  target: { path: "src/pool.ts", line: 1, name: "Pool.connect" },
  confidence: 0.912,
  how: "typed receiver",
  ...more,
});

/** Answers of an engine that knows a little. */
const SESSION = (): Partial<Session> => ({
  openFolders: async () => [],
  configure: async () => undefined,
  whenIdle: async () => undefined,
  reindex: async () => undefined,
  pause: async () => undefined,
  resume: async () => undefined,
  status: async () => STATUS,
  list: async () => [{ ...RECORD, root }],
  clear: async () => true,
  search: async () => ({ ...ANSWER, hits: HITS() }),
  analyze: async () => ANALYSIS,
  similar: async () => ({
    ...ANSWER,
    hits: HITS(),
    subject: {
      root,
      path: "src/pool.ts",
      lines: { start: 3, end: 6 },
      symbol: {
        name: "openPool",
        type: "function",
        signature: "",
        lines: { start: 3, end: 6 },
        nameLine: 3,
      },
    },
  }),
  context: async () => CONTEXT,
  history: async () => ({
    commits: [COMMIT],
    history: { state: "ready", commits: 7, total: 7 },
    warnings: ["a shallow clone"],
  }),
  explain: async () => EXPLANATION,
  why: async (path) => `${path} is indexed`,
  excluded: async () => [
    { path: "a.bin", rule: "binary" },
    { path: "dist/", rule: ".gitignore:3 dist/" },
  ],
  languages: async () => [
    {
      id: "python",
      aliases: ["py"],
      files: ["*.py", "a", "b", "c", "d", "e", "f"],
      category: "implementation",
      grammar: "tree-sitter-python 1.2",
      symbols: "query",
    },
    {
      id: "text",
      aliases: [],
      files: ["*.txt", "a", "b", "c", "d"],
      category: "docs",
      symbols: "none",
    },
    { id: "yaml", aliases: [], files: [], category: "config", symbols: "sections" },
  ],
  doctor: async () => [
    { what: "workspace", ok: true, detail: "fine" },
    { what: "model", ok: false, detail: "is missing", remedy: "fetch it" },
    { what: "store", ok: true, detail: "is old", remedy: "update it" },
  ],
  related: async ({ direction }) =>
    direction === "imports"
      ? {
          files: [NEAR, FAR],
          packages: [
            { name: "zod", version: "4.1.0", line: 2 },
            { name: "yaml", line: 0 },
          ],
          total: 2,
        }
      : { files: [FAR], packages: [], total: 1 },
  impact: async () => ({
    changed: ["src/pool.ts"],
    files: [
      { ...NEAR, reason: "graph" },
      { ...FAR, reason: "both", coChange: 0.5 },
      { path: "docs.md", reason: "co-change", coChange: 0.5 },
      { path: "pool_test.ts", reason: "name" },
    ],
    total: 4,
    tests: ["test/pool.test.ts"],
    coChanged: [],
    notIndexed: ["gone.ts"],
  }),
  dependencyPath: async () => ["src/pool.ts", "src/cart.ts"],
  callers: async () => [site(), site({ caller: "", line: 0, confidence: 1 })],
  callees: async () => [site()],
  exportGraph: async (_, start) => PARTS[start] as ExportedEdges,
});

const HITS = (): Hit[] => {
  const hit: Hit = { ...HIT, root, index: "shop" };
  return [
    {
      ...hit,
      why: [
        { name: "words", contribution: 0.12345 },
        { name: "test", contribution: -0.5, detail: "a test" },
      ],
    },
    {
      ...hit,
      path: "src/cart.ts",
      importers: 3,
      bestLine: { line: 11, column: 4, lead: "\t", text: "return pool;", highlights: [[7, 11]] },
    },
    {
      ...hit,
      path: "src/cart.ts",
      relevance: "weak",
      score: 0.4,
      matchType: "semantic",
      index: "two",
    },
    {
      ...hit,
      path: "x.yaml",
      relevance: "chance",
      score: 0.1,
      hierarchy: "a.b",
      symbol: undefined,
    } as unknown as Hit,
  ];
};
const searching = (more: Partial<SearchAnswer>): Partial<Session> => ({
  search: async () => ({ ...ANSWER, hits: HITS(), ...more }),
});
const ofStatus = (more: Partial<Status>): Partial<Session> => ({
  status: async () => ({ ...STATUS, ...more }),
});
const related = () =>
  ["src/a.ts", "src/b.ts"].map((path, i) => ({ ...NEAR, root, path, dependent: i === 0 }));
const chance = () => HITS().slice(3);
const ofHistory = (
  state: "reading" | "unavailable" | "off" | "ready",
  more: object = {},
): Partial<Session> => ({
  history: async () => ({
    commits: [],
    history: { state, commits: 3, total: 9, ...more },
    warnings: [],
  }),
});

const questions = (): Question[] => [
  ["search where is the pool"],
  ["search where is the pool", {}, { terminal: true }],
  ["search where is the pool", {}, { cwd: "shop/src" }],
  ["search pool --root ../shop", {}, { cwd: "other" }],
  ["search pool", {}, { cwd: "link" }],
  ["search pool --all --lines 0"],
  ["search pool --all --explain --lines 1"],
  ["search pool --vimgrep"],
  ["search pool --vimgrep --all", {}, { cwd: "shop/src/deep" }],
  ["search pool --files"],
  ["search pool --files --all"],
  ["search pool --count"],
  ["search pool --count --all"],
  ["search pool --count --files --all"],
  ["search pool --count", searching({ hits: HITS().slice(2) })],
  ["search pool --count", searching({ hits: [] })],
  ["search pool --json", searching({ hits: [] })],
  ["search pool --jsonl", searching({ hits: HITS().slice(2, 3), related: related() })],
  ["search pool --jsonl", searching({ hits: [] })],
  ["search pool --related", searching({ related: related() })],
  ["search pool --related", searching({ related: [] })],
  ["search pool --context-before 2 --lines 0"],
  ["search pool --context-after 3"],
  [
    "search pool --limit 3 --lang py --lang go --type class --name get* --path src/** --min-score 0.5",
  ],
  ["search pool --changed-since main --semantic"],
  ["search pool --keyword"],
  ["search pool --hybrid --limit 200"],
  ["search pool --limit 201"],
  ["search pool --limit 0"],
  ["search pool --limit 1.5"],
  ["search pool --limit x"],
  ["search pool --hybrid --semantic"],
  ["search pool --json --vimgrep"],
  ["search pool --index shop --index two"],
  ["search pool --no-wait"],
  ["search --file query.txt"],
  ["search --file none.txt"],
  ["search --file query.txt more"],
  ["search -", {}, { input: "from a pipe\nand more" }],
  ["search -", searching({ hits: [] }), { input: "from a pipe\nand more" }],
  ["search -", {}, { input: new Uint8Array([0xff, 0xfe, 0x61, 0, 0x62, 0]) }],
  ["search -", {}, { input: new Uint8Array([0xfe, 0xff, 0, 0x61, 0, 0x62]) }],
  ["search -", {}, { input: new Uint8Array([0x61, 0xe4, 0x0a, 0xc3, 0xa4, 0x0a]) }],
  ["search -", {}, { input: new Uint8Array([0x61, 0, 0x62]) }],
  ["search -", {}, { input: "" }],
  ["search"],
  ["search pool", searching({ hits: [] })],
  ["search pool", searching({ hits: chance() })],
  ["search pool --index a --index b", searching({ hits: [] })],
  ["search pool", searching({ hits: [], state: "unavailable" })],
  [
    "search pool",
    searching({ hits: HITS().slice(0, 1), state: "unavailable", warnings: ["it is old"] }),
  ],
  ["search pool --semantic", searching({ hits: [], mode: "keyword" })],
  ["search pool", searching({ hits: [], mode: "keyword", state: "degraded" })],
  ["search pool", searching({ hits: chance(), mode: "keyword", state: "degraded" })],
  ["search pool --keyword", searching({ hits: [], mode: "keyword", state: "degraded" })],
  ["search pool", searching({ hits: [], state: "indexing", indexed: 1, total: 2 })],
  ["search pool", searching({ state: "indexing", indexed: 2, total: 2 })],
  [`search ${"long".repeat(30)}`, searching({ hits: [] })],
  ["search pool", { openFolders: async () => ["it is large"] }],
  ["search pool", { openFolders: async () => ["it is a home"], ...ofStatus({ state: "no-root" }) }],
  ["search pool --root ../none"],
  ["search pool --root query.txt"],
  ["search pool", { list: async () => [] }, { cwd: "bare" }],
  ["search pool --yes", { list: async () => [] }, { cwd: "bare" }],
  [
    "search pool",
    { list: async () => [{ ...RECORD, root: join(made.root, "bare") }] },
    { cwd: "bare" },
  ],
  ["search pool", { list: async () => [{ ...RECORD, root: made.root }] }, { cwd: "bare" }],
  ["similar src/pool.ts:10"],
  [
    "similar src/pool.ts:10:5 --lines 2 --limit 3 --lang py --path src/** --min-score 0.2 --explain",
  ],
  ["similar ../other/a.ts:1"],
  ["similar pool.ts:1 --no-wait", {}, { cwd: "shop/src" }],
  ["similar src/pool.ts:0"],
  ["similar src/pool.ts"],
  ["similar src/pool.ts:10 --json"],
  [
    "similar src/pool.ts:4",
    {
      similar: async () => ({
        ...ANSWER,
        hits: [],
        state: "indexing",
        indexed: 1,
        total: 4,
        subject: { root, path: "src/pool.ts", lines: { start: 3, end: 6 } },
      }),
    },
  ],
  ["analyze pool"],
  ["analyze pool", { analyze: async () => ({ ...ANALYSIS, hits: [] }) }],
  ["analyze pool --json --limit 2"],
  ["context how does it work"],
  [
    "context how --tokens 100 --format markdown --strategy depth --path a --lang go --index two --auto",
  ],
  ["context how", { context: async () => ({ ...CONTEXT, text: "" }) }],
  ["context how --auto", { context: async () => ({ ...CONTEXT, text: "", isSearched: false }) }],
  ["context how", { context: async () => ({ ...CONTEXT, state: "unavailable" }) }],
  ["context how --tokens 0"],
  ["context how --json"],
  ["history when were retries added"],
  [
    "history --since 90d --until 2024-05-01 --author ada --path a --lang go --limit 3 --patch --pickaxe",
  ],
  ["history x --no-wait", ofHistory("reading")],
  ["history x", ofHistory("ready")],
  ["history", ofHistory("ready", { commits: 1 })],
  ["history x", ofHistory("off")],
  ["history x", ofHistory("unavailable", { reason: "no git" })],
  ["history x --since never"],
  ["history x --limit 0"],
  ["history x --json"],
  ["explain src/pool.ts:2-3"],
  ["explain src/pool.ts:2 --patch"],
  ["explain src/pool.ts"],
  ["explain src/pool.ts:0"],
  ["explain src/pool.ts:3-2"],
  ["explain src/pool.ts --json"],
  ["explain src/pool.ts", { explain: async () => ({ ...EXPLANATION, commits: [], origins: [] }) }],
  ["index"],
  ["index --full"],
  ["index", ofStatus({ state: "degraded", reason: "no model" })],
  ["index", ofStatus({ state: "unavailable" })],
  ["index --json", ofStatus({ indexes: [] })],
  ["status"],
  ["status", { list: async () => [] }],
  ["status --json", ofStatus({ indexes: [] })],
  ["status --why src/pool.ts"],
  ["status --why src/pool.ts --json"],
  ["status --excluded"],
  ["status --left-out --json"],
  ["status --excluded", { excluded: async () => [] }],
  ["list"],
  ["list --json"],
  ["list", { list: async () => [] }],
  ["clear"],
  ["clear", { list: async () => [] }],
  ["clear two --json"],
  ["clear two", { clear: async () => false }],
  ["clear --unused"],
  ["clear --unused", { list: async () => [RECORD, { ...RECORD, name: "gone", root: "/none" }] }],
  ["clear --unused --json", { list: async () => [{ ...RECORD, name: "gone", root: "/none" }] }],
  ["clear --unused", ofStatus({ engine: { ...STATUS.engine, store: "postgres://host/db" } })],
  ["pause"],
  ["pause --json"],
  ["resume"],
  ["resume --json"],
  ["languages"],
  ["languages --json"],
  ["deps show src/pool.ts"],
  ["deps show src/pool.ts --type call --limit 3 --depth 2 --json"],
  ["deps tree src/pool.ts"],
  ["deps path src/pool.ts src/deep/cart.ts"],
  ["deps path src/pool.ts src/deep/cart.ts --json"],
  ["deps export", {}],
  ["deps export --candidates"],
  ["deps stats"],
  ["deps stats --limit 1"],
  ["deps stats a"],
  ["deps stats ./b/"],
  ["deps stats ."],
  ["deps stats none"],
  ["deps stats --json"],
  ["deps graph"],
  ["deps graph --format mermaid"],
  ["deps graph --format svg"],
  ["deps graph b --format svg"],
  ["deps graph none"],
  ["deps graph --format png"],
  ["deps impact src/pool.ts --depth 2 --limit 9"],
  ["impact --diff HEAD~1"],
  ["impact src/pool.ts --json"],
  ["impact --patch query.txt"],
  ["callers Pool.connect"],
  ["callees Pool.connect --limit 2"],
  ["callers none", { callers: async () => [] }],
  ["callers Pool --json"],
  ["--help"],
  ["--version"],
  ["nothing"],
  ["serach pool"],
  ["search --nothing"],
  ["deps"],
  ...[
    ...["search", "similar", "history", "explain", "index", "status", "pause", "resume", "analyze"],
    ...[
      "context",
      "list",
      "clear",
      "languages",
      "doctor",
      "helix-config",
      "demo",
      "impact",
      "deps",
    ],
    ...["callers", "callees", "completion", "man"],
  ].map((name): Question => [`${name} --help`]),
];

it("says of every command what it said before", async () => {
  const said: string[] = [];
  // One after the other: each listens for interrupts of the process.
  for (const question of questions()) said.push(await converse(question));
  await expect(`${said.join("\n\n")}\n`).toMatchFileSnapshot(golden("conversations.txt"));
});
