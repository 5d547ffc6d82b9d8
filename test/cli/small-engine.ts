/** A fake engine with fixed answers, for the transcripts of the command line. */

import type {
  ExportedEdge,
  ExportedEdges,
  RelatedFile,
} from "../../server/contracts/graph-requests.ts";
import type { CommitHit, Explanation } from "../../server/contracts/history-request.ts";
import type { Hit } from "../../server/contracts/model.ts";
import type { ContextAnswer, Session } from "../../server/contracts/session.ts";
import { callsOf } from "../support/calls.ts";
import { EMPTY_CONTEXT, importEdge, NEAR_FILE, occurrencesIn } from "../support/small-answers.ts";
import { ANALYSIS, ANSWER, HIT, RECORD, STATUS } from "./run-cli.ts";

export const NEAR: RelatedFile = { ...NEAR_FILE, confidence: 0.912 };
const FAR = {
  ...NEAR,
  path: "src/ca\u0007rt.ts",
  hops: 2,
  types: ["call"],
  line: 0,
  dependent: true,
};

export const EXPLANATION: Explanation = {
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
  origins: [
    { line: 1, sha: "0123456789abcdef" },
    { line: 2, sha: "ff23456789abcdef" },
    { line: 3 },
  ],
  neighbors: [],
  summary: "",
};

const COMMIT: CommitHit = {
  root: "/code/shop",
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

export const CONTEXT: ContextAnswer = {
  ...EMPTY_CONTEXT,
  text: "# code\n\n",
  items: [],
  confidence: 0.987,
  leftOut: 2,
};

/** A cycle of three, a pair, what all of them use, and a file alone; in two parts. */
const PARTS: readonly ExportedEdges[] = [
  {
    files: ["a/one.ts", "a/two.ts", "a/three.ts", "b/x.ts"],
    edges: [
      importEdge("a/one.ts", "a/two.ts"),
      importEdge("a/two.ts", "a/three.ts"),
      importEdge("a/three.ts", "a/one.ts"),
      importEdge("a/three.ts", "a/gone.ts"),
      importEdge("a/one.ts", "base.ts"),
    ],
    next: 1,
  },
  {
    files: ["b/y.ts", "base.ts", 'od"d.ts', "top.ts"],
    edges: [
      importEdge("b/x.ts", "b/y.ts"),
      importEdge("b/y.ts", "b/x.ts"),
      importEdge("b/y.ts", "base.ts"),
      importEdge("top.ts", "a/one.ts"),
      importEdge("top.ts", "base.ts"),
      { ...importEdge("b/x.ts", "base.ts"), kind: "reference" } as ExportedEdge,
    ],
  },
];

const site = (root: string, more: object = {}) => ({
  root,
  path: "src/shop.ts",
  line: 4,
  caller: "open",
  target: { path: "src/pool.ts", line: 1, name: "Pool.connect" },
  confidence: 0.912,
  how: "typed receiver",
  ...more,
});

/** Every command is answered; `root` is the folder that the answers are about. */
export const answersOf = (root: string): Partial<Session> => ({
  openFolders: async () => [],
  configure: async () => undefined,
  catchUp: async () => undefined,
  whenIdle: async () => undefined,
  reindex: async () => undefined,
  pause: async () => undefined,
  resume: async () => undefined,
  status: async () => STATUS,
  list: async () => [{ ...RECORD, root }],
  clear: async () => true,
  search: async () => ({ ...ANSWER, hits: hitsIn(root) }),
  occurrences: async () => occurrencesIn(root),
  analyze: async () => ANALYSIS,
  similar: async () => ({
    ...ANSWER,
    hits: hitsIn(root),
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
      graph: "calls",
    },
    {
      id: "text",
      aliases: [],
      files: ["*.txt", "a", "b", "c", "d"],
      category: "docs",
      symbols: "none",
      graph: "none",
    },
    { id: "yaml", aliases: [], files: [], category: "config", symbols: "sections", graph: "none" },
  ],
  symbols: async () => [],
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
            { name: "zod", line: 2 },
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
    testsTotal: 1,
    coChanged: [],
    coChangedTotal: 0,
    notIndexed: ["gone.ts"],
  }),
  dependencyPath: async () => ["src/pool.ts", "src/cart.ts"],
  callers: async () => callsOf([site(root), site(root, { caller: "", line: 0, confidence: 1 })]),
  callees: async () => callsOf([site(root)]),
  exportGraph: async (_, start) => PARTS[start] as ExportedEdges,
});

/** A strong hit, another with a best line, a weak one of another index, and one by chance. */
export const hitsIn = (root: string): Hit[] => {
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
