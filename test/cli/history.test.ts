/** `history` and `explain`: requests, waiting and output. */

import { expect, it } from "vitest";
import type { HistoryStatus } from "../../server/contracts/history.ts";
import type {
  CommitHit,
  Explanation,
  HistoryAnswer,
  HunkHit,
} from "../../server/contracts/history-request.ts";
import { INDEX, run, type Setting, STATUS } from "./run-cli.ts";

const ROOT = import.meta.dirname;
const HUNK: HunkHit = {
  path: "src/pool.ts",
  lines: { start: 9, end: 12 },
  symbols: ["Pool", "open"],
  now: { path: "src/pools/pool.ts", lines: { start: 19, end: 22 } },
  patch: "@@ -10,2 +10,2 @@\n-old\n+new\n same",
};
const COMMIT: CommitHit = {
  root: ROOT,
  sha: "0123456789abcdef",
  subject: "Open the pool late",
  author: "Ada",
  time: 0,
  age: "3 days ago",
  files: ["a.ts", "b.ts", "c.ts", "d.ts"].map((path) => ({ path, added: 1, removed: 0 })) as never,
  hunks: [HUNK],
  same: [{ sha: "fedcba9876543210", time: 0, age: "2 days ago" }],
  score: 0.876,
  why: [
    { name: "words", contribution: 0.25, detail: "pool" },
    { name: "age", contribution: -0.5 },
  ],
};
const READY: HistoryStatus = { state: "ready", commits: 7, total: 7 };
const ANSWER: HistoryAnswer = { commits: [COMMIT], history: READY, warnings: [] };

async function history(args: readonly string[], answer = ANSWER, more: Setting = {}) {
  const asked: unknown[] = [];
  const outcome = await run(["history", ...args, "--root", ROOT], {
    cwd: ROOT,
    ...more,
    session: {
      status: () => Promise.resolve(STATUS),
      history: (request) => (asked.push(request), Promise.resolve(answer)),
      ...more.session,
    },
  });
  return { ...outcome, asked };
}

it("`history` prints since when code is gone, or only the file", async () => {
  const { now: _, ...rest } = HUNK;
  const gone = { ...rest, symbols: [], goneSince: "abcdefabcdefabcd" };
  const away = { ...rest, symbols: [], isCheckedOut: false as const };
  const moved = { ...rest, now: { path: "src/b.ts" } };
  const hunks = [gone, { ...rest, symbols: [] }, away, moved];
  const commit = { ...COMMIT, files: COMMIT.files.slice(0, 3), same: [], hunks };
  const { out } = await history(["x"], { ...ANSWER, commits: [commit, commit] });
  const lines = out.split("\n");
  expect(lines.slice(1, 8)).toEqual([
    "  Ada, 3 days ago; a.ts, b.ts, c.ts",
    "  src/pool.ts:10-13 -> gone since abcdefabcd",
    "  src/pool.ts:10-13 -> gone",
    "  src/pool.ts:10-13 -> not checked out",
    "  src/pool.ts:10-13 Pool, open -> src/b.ts",
    "",
    lines[0],
  ]);
});

it("`history` prints diffs and reasons with --patch and --explain", async () => {
  const { out, asked } = await history(["x", "--patch", "--explain", "--limit", "3"]);
  expect(out.split("\n").slice(3)).toEqual([
    "  +0.2500  words: pool",
    "  -0.5000  age",
    "  src/pool.ts:10-13 Pool, open -> src/pools/pool.ts:20",
    "    @@ -10,2 +10,2 @@",
    "    -old",
    "    +new",
    "     same",
    "",
  ]);
  expect(asked).toEqual([{ query: "x", limit: 3, patch: true }]);
});

it("`history` colors added and removed lines", async () => {
  const more = { terminal: true, env: { FORCE_COLOR: "1", TERM: "xterm", PAGER: "" } };
  const { out } = await history(["x", "--patch"], ANSWER, more);
  const [cyan, red, green, plain] = out.trimEnd().split("\n").slice(-4);
  expect(cyan).toContain("\u001b[36m    @@");
  expect(red).toContain("\u001b[31m    -old");
  expect(green).toContain("\u001b[32m    +new");
  expect(plain).toBe("     same");
});

it("`history` waits until commits are read, and notes the progress", async () => {
  const states: HistoryStatus[] = [
    { state: "reading", commits: 2, total: 5 },
    { state: "reading", commits: 4, total: 5 },
    READY,
  ];
  let polls = 0;
  const status = async () => {
    // Once to open the folder and to wait for its files; from then on for its history.
    const read = states[Math.min(polls++, states.length - 1)] ?? READY;
    return { ...STATUS, indexes: [{ ...INDEX, history: read }] };
  };
  const { err, code } = await history(["x"], ANSWER, { session: { status } });
  expect(err).toMatch(/^reading the history: [24] of 5 commits\n$/);
  expect([code, polls >= states.length]).toEqual([0, true]);
});

it("`history` prints no files for an empty commit", async () => {
  const commits = [{ ...COMMIT, files: [], hunks: [], same: [] }];
  const { out } = await history(["x"], { ...ANSWER, commits });
  expect(out.split("\n").slice(1)).toEqual(["  Ada, 3 days ago", ""]);
});

it("`history` notes a reason why commits may be missing", async () => {
  const status = { ...READY, since: 1_400_000_000, reason: "it is shallow" };
  const { err } = await history(["x"], { ...ANSWER, commits: [], history: status });
  expect(err).toBe('note: it is shallow\nnothing found for "x" in 7 commits since 2014-05-13\n');
});

const EXPLANATION: Explanation = {
  commits: [
    {
      sha: "0123456789abcdef",
      subject: "Open the pool late",
      paragraph: "It was opened\nby nobody.",
      author: "Ada",
      time: 0,
      age: "3 days ago",
      path: "src/pool.ts",
      lines: [9, 10],
      patch: "-old\n+new",
    },
  ],
  origins: [
    { line: 9, sha: "0123456789abcdef" },
    { line: 10, sha: "0123456789abcdef" },
    { line: 11 },
  ],
  neighbors: [],
  summary: "",
};

async function explain(place: string, args: readonly string[] = [], answer = EXPLANATION) {
  const asked: { path: string; lines: unknown }[] = [];
  const outcome = await run(["explain", place, ...args, "--root", ROOT], {
    cwd: ROOT,
    session: {
      status: () => Promise.resolve(STATUS),
      explain: (request) => (asked.push(request), Promise.resolve(answer)),
    },
  });
  return { ...outcome, lines: asked[0]?.lines };
}

it("`explain` notes the boundary of a shallow clone", async () => {
  const commits = EXPLANATION.commits.map((commit) => ({ ...commit, isBoundary: true }));
  const { out } = await explain("history.test.ts:10-12", [], { ...EXPLANATION, commits });
  expect(out.split("\n").slice(3, 5)).toEqual([
    "  by nobody.",
    "  this shallow clone begins here: an older commit may have written these lines (git fetch --unshallow)",
  ]);
});

it("`explain` names each file that lines were moved from", async () => {
  const [sha, origins] = ["0123456789abcdef", EXPLANATION.origins];
  const moved = ["src/pool.ts", "src/lake.ts", "src/pool.ts"].map((path, line) => ({
    line,
    sha,
    path,
  }));
  const { out } = await explain("history.test.ts:10-12", [], { ...EXPLANATION, origins: moved });
  expect(out).toContain(`2 of ${origins.length} lines, src/pool.ts, src/lake.ts\n`);
});

it("`explain` prints nothing for absent parts", async () => {
  const [commit] = EXPLANATION.commits;
  const committed = EXPLANATION.origins.slice(0, 2);
  const commits = commit === undefined ? [] : [{ ...commit, paragraph: "" }];
  const plain = await explain("history.test.ts", [], {
    ...EXPLANATION,
    commits,
    origins: committed,
  });
  expect(plain.out.split("\n")).toHaveLength(3);
  expect((await explain("history.test.ts", [], { ...EXPLANATION, commits: [] })).code).toBe(1);
});

it.each([
  ["history.test.ts:10:5", { start: 9, end: 9 }],
  ["odd\nname.ts:7", { start: 6, end: 6 }],
  ["history.test.ts:1-1", { start: 0, end: 0 }],
])("`explain` parses a place: %s", async (place, lines) => {
  expect((await explain(place)).lines).toEqual(lines);
});

it.each(["history.test.ts:0", "history.test.ts:3-2"])("`explain` refuses %s", async (place) => {
  const { code, err } = await explain(place);
  expect([code, err]).toEqual([2, `error: ${place}: expected lines from 1, such as 10-40\n`]);
});
