/** The output of commands for commits, the status and an analysis: read the files under golden/. */

import { join } from "node:path";
import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { renderAnalysis } from "../../server/cli/render-analysis.ts";
import { colorPatch, renderCommits } from "../../server/cli/render-commits.ts";
import { excludedByRule, renderStatus } from "../../server/cli/render-status.ts";
import { count } from "../../server/common/count.ts";
import type { CommitHit, HunkHit } from "../../server/contracts/history-request.ts";
import type { Hit } from "../../server/contracts/model.ts";
import type {
  Analysis,
  AnalyzedHit,
  EngineStatus,
  IndexState,
  IndexStatus,
} from "../../server/contracts/session.ts";

/** Colors as they are written in tests: `<red>text</red>`. */
const colors = new Proxy(pc.createColors(false), {
  get: (_, name) => (text: string) => `<${String(name)}>${text}</${String(name)}>`,
});

/** Windows has other paths. */
const joined = (parts: readonly string[]) => parts.join("\n\n====\n\n").replaceAll("\\", "/");

const golden = (name: string) => join(import.meta.dirname, "golden", name);
const SHA = "0123456789abcdef0123456789abcdef01234567";

const hunk = (more: Partial<HunkHit> = {}): HunkHit => ({
  path: "src/old.py",
  lines: { start: 4, end: 9 },
  symbols: ["open", "Pool.close"],
  now: { path: "src/new.py", lines: { start: 11, end: 16 } },
  patch: "@@ -5,2 +5,3 @@ def open():\n kept\n-gone\u0007\n+there\tnow",
  ...more,
});

const commit = (more: Partial<CommitHit> = {}): CommitHit => ({
  root: "/w/shop",
  sha: SHA,
  subject: "Open the \u001b[31mpool",
  author: "Ada",
  time: 0,
  age: "3 days ago",
  files: ["a.py", "b.py", "c.py"].map((path) => ({ path, status: "modified" })),
  hunks: [hunk()],
  same: [],
  score: 0.456,
  why: [
    { name: "message", contribution: 0.25, detail: "rank 1" },
    { name: "recency", contribution: -0.1234 },
  ],
  ...more,
});

it("renderCommits prints the recorded text", async () => {
  const five = ["a", "b", "c", "d", "e"].map((path) => ({ path, status: "modified" as const }));
  const commits = [
    commit(),
    commit({ files: five, same: [{ sha: SHA.replace("0", "f"), time: 1, age: "today" }] }),
    commit({
      files: five.slice(0, 4),
      same: [
        { sha: SHA, time: 1, age: "today" },
        { sha: SHA.replace("01", "ee"), time: 1, age: "2 hours ago" },
      ],
      hunks: [
        hunk({ symbols: [], now: { path: "src/new.py" } }),
        { path: "gone.py", lines: { start: 0, end: 0 }, symbols: [] },
        { path: "gone.py", lines: { start: 0, end: 0 }, symbols: ["a"], goneSince: SHA },
      ],
    }),
  ];
  const looks = [{}, { patch: true }, { explain: true }, { patch: false, explain: false }];
  const shown = looks.map((look) => renderCommits(commits, { colors, cwd: "/w/shop/src" }, look));
  const elsewhere = renderCommits([commit()], { colors, cwd: "/elsewhere" }, {});
  await expect(joined([...shown, elsewhere])).toMatchFileSnapshot(golden("commits.txt"));
});

it("colorPatch colors the lines of a patch", () => {
  expect(colorPatch("@@ a @@\n+b\n-c\n d\n++e\n--f", colors)).toEqual([
    "<cyan>    @@ a @@</cyan>",
    "<green>    +b</green>",
    "<red>    -c</red>",
    "     d",
    "<green>    ++e</green>",
    "<red>    --f</red>",
  ]);
});

const ENGINE: EngineStatus = {
  version: "1.2.3",
  pid: 42,
  startedAt: "2026-01-01T00:00:00.000Z",
  clients: 1,
  memoryBytes: 123_456_789,
  store: "/home/ada/postgres",
  log: "/home/ada/engine.log",
};

const index = (more: Partial<IndexStatus> = {}): IndexStatus => ({
  name: "shop",
  root: "/w/shop",
  clients: 1,
  model: "builtin",
  state: "ready",
  indexed: 3,
  total: 4,
  files: 1_234,
  chunks: 5_678,
  pending: 0,
  secrets: 0,
  bytes: 9_876_543,
  parse: [],
  guessedEncodings: {},
  excluded: {},
  history: { state: "off", reason: "history.commits is 0", commits: 0, total: 0 },
  compatibility: { kind: "usable" },
  ...more,
});

it("renderStatus prints the recorded text", async () => {
  const rules = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`rule ${i}`, (i * 7) % 12]),
  );
  const worst = (count_: number) =>
    Array.from({ length: count_ }, (_, i) => ({ path: `f${i}.py`, message: `line ${i}` }));
  const parse = (languageId: string, count_: number) => ({
    languageId,
    ok: 10,
    partial: 2,
    error: 1,
    noGrammar: 0,
    worst: worst(count_),
  });
  const statuses = [
    { state: "ready" as const, indexes: [index()], engine: ENGINE, warnings: [] },
    {
      state: "indexing" as const,
      reason: "reading",
      indexes: [
        index({ pending: 1, secrets: 2, leftMs: 90_000, sharedFrom: "/w" }),
        index({
          pending: 1_200,
          commit: SHA,
          branch: "main",
          behind: 2,
          embedding: { tokens: 1_000, tokensPerSecond: 20, remainingTokens: 3_000 },
          compatibility: { kind: "outdated", reason: "made by version 0.1" } as never,
          parse: [parse("python", 0), parse("typescript", 3)],
          excluded: { "rule 1": 1 },
        }),
        index({
          history: { state: "reading", commits: 1_500, total: 20_000 },
          parse: [parse("go", 9)],
          excluded: rules,
          commit: SHA,
          behind: 0,
        }),
        index({
          history: {
            state: "ready",
            reason: "history ends early: only the newest 20000 commits are read",
            commits: 20_000,
            total: 20_000,
            since: Date.UTC(2014, 2, 2) / 1_000,
          },
          commit: SHA,
          behind: 1,
          begunWith: { repository: "host/acme/shop", commit: SHA, files: 98, total: 1_200 },
          distance: { ahead: 1, behind: 1_200 },
          teamRemark: "the team's database was not used any more: \u001b[2J",
          excluded: Object.fromEntries(Object.entries(rules).slice(2)),
        }),
      ],
      engine: {
        ...ENGINE,
        clients: 2,
        postgres: "17.1",
        pgvector: "0.8",
        eventLoop: { p50Ms: 1, p99Ms: 2, maxMs: 33 },
      },
      warnings: ["one\u0007", "two"],
    },
    ...(["paused", "degraded", "unavailable", "no-root"] as const).map((state: IndexState) => ({
      state,
      indexes: [],
      engine: ENGINE,
      warnings: [],
    })),
  ];
  const shown = statuses.map((status) => renderStatus({ indexed: 0, total: 0, ...status }, colors));
  await expect(joined(shown)).toMatchFileSnapshot(golden("status.txt"));
});

describe("excludedByRule", () => {
  it.each([
    [{}, undefined],
    [{ binary: 2 }, "2 by binary"],
    [{ a: 1, b: 3, c: 2 }, "3 by b, 2 by c, 1 by a"],
    [{ a: 1, b: 3, c: 2, d: 1, e: 1 }, "3 by b, 2 by c, 1 by a, 2 by others"],
  ])("%j", (rules, expected) => expect(excludedByRule(rules)).toBe(expected));
});

it("renderAnalysis prints the recorded text", async () => {
  const hit = (more: Partial<Hit>, ranks: Record<string, number>): AnalyzedHit =>
    ({
      id: 1,
      root: "/w/shop",
      path: "src/pool.py",
      index: "shop",
      languageId: "python",
      lines: { start: 4, end: 9, contextLines: { start: 4, end: 9 } },
      score: 0.98765,
      matchType: "both",
      category: "implementation",
      ...(more as object),
      ranks,
      evidence: {},
    }) as never;
  const analysis: Analysis = {
    query: `open the pool ${"and close it ".repeat(9)}\nsecond line`,
    mode: "hybrid",
    cache: "miss",
    warnings: [],
    state: "ready",
    indexed: 1,
    total: 1,
    stages: [
      { name: "query", ms: 0.1234 },
      { name: "vector", ms: 12.345, count: 100, notes: { model: "builtin", dimension: 384 } },
      {
        name: "keyword",
        ms: 1,
        count: 0,
        notes: { words: ["open", "pool"], none: [], long: "x".repeat(70) },
      },
    ],
    hits: [
      hit({ bestLine: { line: 5, column: 2 } } as never, { vector: 1, fused: 2, end: 1 }),
      hit({ symbol: { name: "close\u0007", type: "function", signature: "" } } as never, {
        keyword: 1,
        fused: 1,
        end: 2,
      }),
    ],
  } as never;
  const shown = [
    renderAnalysis(analysis, "/w/shop", colors),
    renderAnalysis({ ...analysis, query: "x".repeat(80), hits: [] }, "/", colors),
    renderAnalysis({ ...analysis, query: "x".repeat(81), hits: [], stages: [] }, "/", colors),
  ];
  await expect(joined(shown)).toMatchFileSnapshot(golden("analysis.txt"));
});

it("count formats numbers with nouns", () =>
  expect([count(0, "file"), count(1, "file"), count(1_234, "entry", "entries")]).toEqual([
    "0 files",
    "1 file",
    "1,234 entries",
  ]));
