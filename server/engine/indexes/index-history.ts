/** Connects the commit history of an open index with the database, the worker threads and the throttle. */

import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { IndexState } from "../../contracts/session.ts";
import {
  type HistorySource,
  type IndexHistory,
  openIndexHistory,
} from "../../history/index-history.ts";
import type { IndexDeps } from "./index-deps.ts";

/** Polling interval while the history waits for the files to be indexed. */
const POLL_MS = 250;
/** Maximum wait of a batch of commits for the files of other indexes, which may take hours. */
const MAX_WAIT_FOR_OTHERS_MS = 30_000;

/**
 * Maximum wait of a batch during continuous searching. Reading and storing a batch takes the database and a thread
 * 0.1 s: the first hundred searches after an index of caddy took 10.1 instead of 7.2 ms.
 */
const MAX_WAIT_FOR_SEARCHES_MS = 1_000;

interface Source extends HistorySource {
  readonly workspace: { readonly status: { readonly state: IndexState } };
}

export function createIndexHistory(index: Source, deps: IndexDeps): IndexHistory {
  const { throttle, log } = deps;
  const isPaused = () => index.workspace.status.state === "paused";
  const database = async () => await deps.stores.get(index.settings["database.url"]);
  return openIndexHistory(index, {
    folder: join(dirname(deps.data), "history"),
    path: process.env["PATH"],
    reader: deps.preparers.commits,
    log,
    isPaused,
    vectors: async () => (await database()).embeddings,
    gate: async (signal, isUrgent) => {
      const deadline = performance.now() + MAX_WAIT_FOR_OTHERS_MS;
      const isForOthers = () => deps.isIndexing() && performance.now() < deadline;
      const isForFiles = () => index.workspace.status.state === "indexing" || isForOthers();
      while (isPaused() || (!isUrgent() && isForFiles())) {
        await delay(POLL_MS, undefined, { signal, ref: false });
      }
      await throttle.whenQuiet(() => signal.aborted || isUrgent(), MAX_WAIT_FOR_SEARCHES_MS);
    },
    tidy: async (signal) => {
      await throttle.whenQuiet(() => signal.aborted, MAX_WAIT_FOR_SEARCHES_MS);
      if (!signal.aborted) await (await database()).vacuum();
    },
  });
}
