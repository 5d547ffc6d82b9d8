/** A history over a repository of a test: real git, rows in memory. */

import { join } from "node:path";
import { onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import { wordsOf } from "../../server/common/words.ts";
import type { CommitReader } from "../../server/contracts/history.ts";
import type { CommitTools } from "../../server/history/digest-commit.ts";
import { History, type HistoryOptions } from "../../server/history/history.ts";
import { readCommits } from "../../server/history/read-commits.ts";
import { maskSecrets } from "../../server/indexing/secrets/redact.ts";
import { createMemoryHistory } from "../support/memory-history.ts";
import { workspace } from "../support/workspace.ts";

/** Stand-ins for other parts. They exclude `vendor/`. */
export const TOOLS: CommitTools = {
  termsOf: wordsOf,
  termNumber: (term) => term.length,
  definedOn: (line) => /^\s*(?:def|function) (\w+)/.exec(line)?.[1],
  maskSecrets,
  isExcluded: (path) => path.startsWith("vendor/"),
  embed: undefined,
};

/** Reads in this thread what a worker thread reads in the engine. */
const reader: CommitReader = {
  readCommits: ({ shas, directory, prefix }, signal) =>
    readCommits(shas, { directory, prefix, signal, tools: TOOLS }),
};

export function historyOf(root: string, options: Partial<HistoryOptions> = {}) {
  const store = createMemoryHistory();
  const history = new History({
    root,
    limit: 1000,
    offReason: undefined,
    rules: {
      "indexing.includePatterns": [],
      "indexing.excludePatterns": [],
      "indexing.nestedWorktrees": false,
    },
    modelId: "none",
    isLocalModel: true,
    folder: join(workspace(), "history"),
    reader,
    log: silent,
    path: process.env["PATH"],
    store: () => store,
    gate: async () => undefined,
    embed: async (rows) => rows,
    changed: () => undefined,
    cleared: () => undefined,
    tidy: async () => undefined,
    ...options,
  });
  onTestFinished(() => history.close());
  const read = async () => {
    history.refresh();
    await history.whenIdle();
    return history.status;
  };
  return { history, store, read };
}
