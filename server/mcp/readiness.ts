/** Waits until what a tool needs is in the index, so that the first question about a new repository is not answered from nothing. */

import { setTimeout as delay } from "node:timers/promises";
import { formatRemainingTime } from "../common/remaining-time.ts";
import type { HistoryStatus } from "../contracts/history.ts";
import type { IndexStatus, Session, Status } from "../contracts/session.ts";

/** What a tool answers from: chunks, edges between files, or commits. */
export type Need = "search" | "graph" | "history";

export interface Waiting {
  /** A moment of `performance.now`; from it on, the tool answers from what is there. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Tells the client how far the index is. */
  say(sentence: string): void;
}

/**
 * Enough for a search where the rest takes longer than the tool may wait: a first pass reads what was changed lately and
 * a part of every folder before the rest. Callers and dependents are of use only where none is missing, so that a graph
 * is waited for to the end.
 */
const ENOUGH_FILES = 0.9;

/** Commits are read newest first; these are read before the files are, once somebody asks (`URGENT_COMMITS`). */
const MIN_COMMITS = 500;
const ENOUGH_COMMITS = 0.5;

/** A small repository is indexed within a second: the first looks come soon after each other. */
const FIRST_POLL_MS = 100;
/** A status costs the engine some milliseconds. */
const MAX_POLL_MS = 500;
/** A history that nobody begins to read, while the files are indexed, is not going to be read: another engine writes. */
const HISTORY_BEGINS_MS = 5_000;

/** How far everything is, once it is far enough or the time is up. */
export async function whenReady(
  session: Pick<Session, "status">,
  need: Need,
  { deadline, signal, say }: Waiting,
): Promise<Status> {
  const start = performance.now();
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(MAX_POLL_MS, 2 * pollMs)) {
    const status = await session.status();
    signal.throwIfAborted();
    const waitedMs = performance.now() - start;
    const leftMs = deadline - performance.now();
    const missing = status.indexes.filter((index) => !isReady(index, need, waitedMs, leftMs));
    if (missing.length === 0 || leftMs <= 0) return status;
    say(progressOf(missing, need));
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
  // The vectors of a remote model take hours; until they are there, words find the files.
  if (total > 0 && indexed >= total) return pending > 0;
  return need === "search" && leftMs > mayWaitMs && indexed >= total * ENOUGH_FILES;
}

/** Whether commits can be asked about; `mayBegin` says that a history which waits may still be read. */
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
