/** Commits of answers from the history, for tests that render them. */

import type { CommitHit, ShapingCommit } from "../../server/contracts/history-request.ts";

export const COMMIT: CommitHit = {
  root: "/code",
  sha: "0123456789abcdef",
  subject: "Add retries",
  author: "Ada <ada@localhost>",
  time: 1_700_000_000,
  age: "2 days ago",
  files: [],
  hunks: [
    {
      path: "shop/a.ts",
      lines: { start: 3, end: 8 },
      symbols: ["open", "close"],
      now: { path: "shop/b.ts", lines: { start: 0, end: 5 } },
      patch: `@@ -4 +4 @@\n${"+ line\n".repeat(15)}`,
    },
    { path: "shop/c.ts", lines: { start: 0, end: 0 }, symbols: [], now: { path: "shop/c.ts" } },
    {
      path: "shop/d.ts",
      lines: { start: 0, end: 1 },
      symbols: ["x"],
      goneSince: "fedcba9876543210",
    },
    { path: "shop/e.ts", lines: { start: 0, end: 1 }, symbols: [] },
    { path: "secret/plan.ts", lines: { start: 0, end: 1 }, symbols: ["plan"] },
    { path: "shop/f.ts", lines: { start: 0, end: 1 }, symbols: [], now: { path: "secret/f.ts" } },
  ],
  same: [],
  score: 0.567,
  why: [],
};
export const SHAPING: ShapingCommit = {
  sha: "0123456789abcdef",
  subject: `Add ${"long ".repeat(50)}`,
  paragraph: "Because.\nTwice.",
  author: "Ada <ada@localhost>",
  time: 1_700_000_000,
  age: "2 days ago",
  path: "src/a.ts",
  lines: [3, 4, 7],
  patch: "@@ -1 +1 @@\n-a\n+b",
};
