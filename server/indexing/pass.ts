/** Runs one pass: indexes the changed files, then embeds chunks without vectors. Reports progress to the workspace. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { trySystemCall, Unavailable } from "../common/errors.ts";
import { gitFolder, readHead } from "../common/git-head.ts";
import { createPause } from "../common/slices.ts";
import type { LiveLanes } from "../contracts/lanes.ts";
import type { Preparer } from "../contracts/preparer.ts";
import { embedPending } from "./embed-pending.ts";
import { removeInSlices } from "./follow-commit.ts";
import { type IndexingContext, indexAll, indexSome, type Throttle } from "./indexer.ts";
import { MAX_SMALL_FILES } from "./small-work.ts";
import { classifyChanges } from "./watching/classify-changes.ts";
import type { Changes, PassResult } from "./workspace.ts";

/** A pass of more files yields to searches before each file; fewer are files that a user has just saved. */
const MAX_IMMEDIATE_FILES = 4;

/** For a few files that a user has just saved. */
const UNTHROTTLED: Throttle = {
  yieldToForeground: async () => {},
  isAsking: false,
  yieldToSearches: async () => {},
};

/** The index and what its passes share. */
export interface PassContext extends Omit<IndexingContext, "preparer" | "smallWork"> {
  readonly lanes: LiveLanes;
  /** `background`: of low priority, for many files; `interactive`: for a few files that a user waits for. */
  readonly preparers: Readonly<Record<"background" | "interactive", Preparer>>;
}

/**
 * Returns how the pass ended, and the number of changed and removed files of a full pass. Rejects with the signal's
 * reason, with `Unavailable`, or with another error. Committed batches are kept.
 */
export async function runPass(
  context: PassContext,
  changes: Changes,
  signal: AbortSignal,
): Promise<{ readonly result: PassResult; readonly changed: number }> {
  const { workspace, throttle, store, files } = context;
  // The stored index is searchable by now, so a pause may begin before the first file.
  await workspace.whilePaused(signal);
  signal.throwIfAborted();
  if (changes.isForgetting) {
    await store.truncate();
    const pause = createPause(() => throttle.yieldToSearches());
    await removeInSlices(context, [...files.paths()], pause);
    files.clear();
  }
  // A user who reopens the index does not trust the stored fingerprints.
  if (changes.isReopening) files.forgetFingerprints();
  let changed = 0;
  if (changes.isFull) changed = await indexEverything(context, signal);
  else if (changes.paths.size > 0) await indexChanged(context, changes.paths, signal);
  workspace.report({ kind: "stored", files: files.size });
  return { result: await embedRest(context, signal), changed };
}

/** Returns the number of changed and removed files. */
async function indexEverything(context: PassContext, signal: AbortSignal): Promise<number> {
  const { root, store, lanes, excluded, workspace } = context;
  excluded.clear();
  workspace.report({ kind: "begun" });
  const { changed, removed } = await indexAll(backgroundContext(context), signal);
  await store.update({ ...(await readHead(root)), state: "complete" });
  await store.pruneKept(Date.now());
  await lanes.refreshStatistics();
  return changed + removed;
}

async function indexChanged(
  context: PassContext,
  paths: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const { root, rules, files: stored, excluded, log, workspace } = context;
  const { present, gone } = await classifyChanges(paths, { root, rules, stored, log });
  for (const path of [...present, ...gone]) excluded.delete(path);
  // A burst is shown as indexing and yields to the foreground, as a full pass does.
  const isBurst = present.length > MAX_SMALL_FILES;
  if (isBurst) workspace.report({ kind: "begun" });
  if (present.length + gone.length === 0) return;
  const indexing = isBurst
    ? backgroundContext(context)
    : await interactiveContext(context, present.length);
  await indexSome(indexing, present, gone, signal);
  if (isBurst) await context.store.pruneKept(Date.now());
}

/** Embeds pending chunks until more files change; the next pass indexes those first. */
async function embedRest(context: PassContext, signal: AbortSignal): Promise<PassResult> {
  const { embeddingHeld: held, log } = context;
  if (held !== undefined) return { kind: "degraded", reason: held, isRetriedSoon: false };
  try {
    await embedPending(context, signal);
    return { kind: "ready" };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Unavailable)) throw error;
    log.warn("cannot embed, will retry", { error: error.message });
    const isAnswered = context.lanes.substituteModel !== undefined;
    const until = isAnswered
      ? "the built-in model answers until the index is embedded"
      : "new code is found by keyword only";
    const reason = `${until}: ${error.message}`;
    return { kind: "degraded", reason, isRetriedSoon: true };
  }
}

function backgroundContext(context: PassContext): IndexingContext {
  const { background, interactive } = context.preparers;
  return { ...context, preparer: background, smallWork: interactive, keepsReplaced: true };
}

async function interactiveContext(context: PassContext, files: number): Promise<IndexingContext> {
  const yieldToForeground = (signal: AbortSignal) => context.throttle.yieldToForeground(signal);
  const yields = files > MAX_IMMEDIATE_FILES;
  const throttle = yields ? { ...UNTHROTTLED, yieldToForeground } : UNTHROTTLED;
  const keepsReplaced = await isGitWriting(context.root);
  return { ...context, throttle, preparer: context.preparers.interactive, keepsReplaced };
}

/** The watcher reports changes a second after they were made, or later on a busy machine. */
const RECENT_MS = 10_000;

/** Whether git holds the lock of the repository's index, or has written the index a moment ago. */
export async function isGitWriting(root: string): Promise<boolean> {
  const git = await gitFolder(root);
  if (git === undefined) return false;
  if ((await trySystemCall(() => stat(join(git, "index.lock")))) !== undefined) return true;
  const index = await trySystemCall(() => stat(join(git, "index")));
  return index !== undefined && Date.now() - index.mtimeMs < RECENT_MS;
}
