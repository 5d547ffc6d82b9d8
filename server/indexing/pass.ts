/** Runs one pass: indexes the changed files, then embeds chunks without vectors. Reports progress to the workspace. */

import { Unavailable } from "../common/errors.ts";
import { createPause } from "../common/slices.ts";
import type { Preparer } from "../contracts/preparer.ts";
import { embedPending } from "./embed-pending.ts";
import { removeInSlices } from "./follow-commit.ts";
import { type IndexingContext, type IndexTarget, indexAll, indexSome } from "./indexer.ts";
import { MAX_SMALL_FILES } from "./small-work.ts";
import { classifyChanges } from "./watching/classify-changes.ts";
import { readHead } from "./watching/git-head.ts";
import type { Changes, PassResult, Workspace } from "./workspace.ts";

/** A pass of more files yields to searches before each file; fewer are files that a user has just saved. */
const MAX_IMMEDIATE_FILES = 4;

/** The index and what its passes share. */
export interface PassContext extends IndexTarget {
  readonly workspace: Pick<Workspace, "hasWork" | "report" | "whilePaused">;
  /** `background`: of low priority, for many files; `interactive`: for a few files that a user waits for. */
  readonly preparers: Readonly<Record<"background" | "interactive", Preparer>>;
  readonly throttle: {
    /** Waits while a user searches or types. */
    yieldToForeground(signal: AbortSignal): Promise<void>;
    /** Whether a user searches or types, or did so a moment ago. */
    readonly isAsking: boolean;
    /** Waits briefly while a search runs. */
    yieldToSearches(): Promise<void>;
  };
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
  const indexing = isBurst ? backgroundContext(context) : interactiveContext(context);
  const yields = present.length > MAX_IMMEDIATE_FILES;
  const gate = yields ? gateBehindForeground(context) : indexing.gate;
  await indexSome({ ...indexing, gate }, present, gone, signal);
}

/** Embeds pending chunks until more files change; the next pass indexes those first. */
async function embedRest(context: PassContext, signal: AbortSignal): Promise<PassResult> {
  const { workspace, embeddingHeld: held, log } = context;
  if (held !== undefined) return { kind: "degraded", reason: held, isRetriedSoon: false };
  const isUrgent = () => workspace.hasWork;
  try {
    const reportPending = (pending: number) => workspace.report({ kind: "embedding", pending });
    await embedPending({ ...backgroundContext(context), isUrgent, reportPending }, signal);
    return { kind: "ready" };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Unavailable)) throw error;
    log.warn("cannot embed, will retry", { error: error.message });
    const reason = `new code is found by keyword only: ${error.message}`;
    return { kind: "degraded", reason, isRetriedSoon: true };
  }
}

function backgroundContext(context: PassContext): IndexingContext {
  const { preparers, throttle } = context;
  return {
    ...interactiveContext(context),
    preparer: preparers.background,
    smallWork: preparers.interactive,
    gate: gateBehindForeground(context),
    isOneEnough: () => throttle.isAsking,
    yieldToSearches: () => throttle.yieldToSearches(),
  };
}

function gateBehindForeground({ workspace, throttle }: PassContext): IndexingContext["gate"] {
  return async (signal) => {
    await workspace.whilePaused(signal);
    await throttle.yieldToForeground(signal);
  };
}

function interactiveContext(context: PassContext): IndexingContext {
  const { workspace, preparers } = context;
  return {
    ...context,
    preparer: preparers.interactive,
    gate: (signal) => workspace.whilePaused(signal),
    isOneEnough: () => false,
    yieldToSearches: async () => {},
    report: (event) => workspace.report(event),
  };
}
