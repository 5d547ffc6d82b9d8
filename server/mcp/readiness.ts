/** Waits until the index has enough data for a tool call, so that the first call in a new repository finds something. */

import { setTimeout as delay } from "node:timers/promises";
import { formatRemainingTime } from "../common/remaining-time.ts";
import type { HistoryStatus } from "../contracts/history.ts";
import type { IndexStatus, Session, Status } from "../contracts/session.ts";

/** The data that a tool needs: chunks, edges between files, or commits. */
export type Need = "search" | "graph" | "history";

interface Waiting {
  /** Time of `performance.now` at which the tool stops waiting. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Reports the progress to the client. */
  report(progress: string): void;
}

/**
 * Share of the files that is enough for a search if the rest takes longer than the deadline: a first pass starts with
 * recently changed files and a sample of every folder. The graph needs all files, because a list of callers must be complete.
 */
const ENOUGH_FILES = 0.9;

/** Commits are read newest first. After a request, this many are read before the files (`URGENT_COMMITS`). */
const MIN_COMMITS = 500;
const ENOUGH_COMMITS = 0.5;

/** An agent asks for the code that it has just written: one saved file is indexed within .1 s. Longer passes are waited for by their state. */
const CATCH_UP_MS = 2_000;
/** A small repository is indexed within a second, so polling starts fast and slows down. */
const FIRST_POLL_MS = 100;
/** A status costs the engine a few milliseconds. */
const MAX_POLL_MS = 500;
/** If reading of commits has not started by then although the files are indexed, another engine owns the index. */
const HISTORY_BEGINS_MS = 5_000;

/** Resolves to the status when the data is ready or the deadline has passed. */
export async function whenReady(
  session: Pick<Session, "status" | "catchUp">,
  need: Need,
  { deadline, signal, report }: Waiting,
): Promise<Status> {
  const start = performance.now();
  let isCaughtUp = need === "history";
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(MAX_POLL_MS, 2 * pollMs)) {
    const status = await session.status();
    signal.throwIfAborted();
    const waitedMs = performance.now() - start;
    const leftMs = deadline - performance.now();
    const missing = status.indexes.filter((index) => !isReady(index, need, waitedMs, leftMs));
    if (missing.length === 0 && leftMs > 0 && !isCaughtUp) {
      isCaughtUp = true;
      await session.catchUp(Math.min(CATCH_UP_MS, leftMs), signal);
      continue;
    }
    if (missing.length === 0 || leftMs <= 0) return status;
    report(progressOf(missing, need));
    await delay(Math.min(pollMs, leftMs), undefined, { signal });
  }
}

function isReady(index: IndexStatus, need: Need, waitedMs: number, mayWaitMs: number): boolean {
  if (need === "history") {
    const isIndexing = index.state === "indexing";
    return isHistoryReady(index.history, isIndexing || waitedMs < HISTORY_BEGINS_MS);
  }
  if (index.state !== "indexing") return true;
  const { indexed, total, pending, leftMs = 0 } = index;
  // Vectors of a remote model may take hours; keyword search works without them.
  if (total > 0 && indexed >= total) return pending > 0;
  return need === "search" && leftMs > mayWaitMs && indexed >= total * ENOUGH_FILES;
}

/** Whether enough commits are read; `mayBegin`: whether a waiting history may still start to be read. */
export function isHistoryReady({ state, commits, total }: HistoryStatus, mayBegin = true): boolean {
  if (state === "waiting") return !mayBegin;
  if (state !== "reading") return true;
  return commits >= Math.max(total * ENOUGH_COMMITS, Math.min(total, MIN_COMMITS));
}

function progressOf(missing: readonly IndexStatus[], need: Need): string {
  const isHistory = need === "history";
  const counts = missing.map(({ indexed, total, history }) =>
    isHistory ? [history.commits, history.total] : [indexed, total],
  );
  const [done, all] = [0, 1].map((i) => counts.reduce((sum, count) => sum + (count[i] ?? 0), 0));
  const what = isHistory ? "reading commits" : "indexing files";
  if (all === undefined || done === undefined || all === 0) return what;
  const left = isHistory ? [] : missing.flatMap(({ leftMs }) => leftMs ?? []);
  const time = left.length === 0 ? "" : `, ${formatRemainingTime(Math.max(...left))}`;
  return `${what}: ${done.toLocaleString("en")} of ${all.toLocaleString("en")}${time}`;
}
