/** Runs one pass: indexes the changed files, then embeds chunks without vectors. Reports progress to the workspace. */

import { Unavailable } from "../common/errors.ts";
import { readHead } from "../common/git-head.ts";
import { createPause } from "../common/slices.ts";
import type { Preparer } from "../contracts/preparer.ts";
import { embedPending } from "./embed-pending.ts";
import { removeInSlices } from "./follow-commit.ts";
import { type IndexingContext, type IndexTarget, indexAll, indexSome } from "./indexer.ts";
import { MAX_SMALL_FILES } from "./small-work.ts";
import { classifyChanges } from "./watching/classify-changes.ts";
import type { Changes, Workspace } from "./workspace.ts";

/** A pass of more files yields to searches before each file; fewer are files that a user has just saved. */
const MAX_IMMEDIATE_FILES = 4;
/** Fewer changes do not make a vacuum worth its cost. */
const VACUUM_AFTER_CHANGES = 200;

export interface PassContext {
  readonly target: IndexTarget;
  readonly workspace: Workspace;
  /** For passes over many files; low priority. */
  readonly background: Preparer;
  /** For a few files that a user waits for: just saved, or the whole workspace. */
  readonly interactive: Preparer;
  /** Waits while a user searches or types. */
  yieldToForeground(signal: AbortSignal): Promise<void>;
  /** Whether a user searches or types, or did so a moment ago. */
  isAsking(): boolean;
  /** Waits briefly while a search runs. */
  yieldToSearches(): Promise<void>;
  /** Updates the database's statistics and reclaims space. */
  vacuum(): Promise<void>;
  /** Resolves the imports of the indexed files and stores them as edges. */
  storeEdges(): Promise<void>;
}

/** Rejects with the signal's reason, with `Unavailable`, or with another error. Committed batches are kept. */
export async function runPass(
  context: PassContext,
  changes: Changes,
  signal: AbortSignal,
): Promise<void> {
  const { target, workspace } = context;
  const { store, files } = target;
  // The stored index is searchable by now, so a pause may begin before the first file.
  await workspace.whilePaused(signal);
  signal.throwIfAborted();
  if (changes.isForgetting) {
    await store.truncate();
    await removeInSlices(target, [...files.paths()], createPause(context.yieldToSearches));
    files.clear();
  }
  // A user who reopens the index does not trust the stored fingerprints.
  if (changes.isReopening) files.forgetFingerprints();
  let changed = 0;
  if (changes.isFull) changed = await indexEverything(context, signal);
  else if (changes.paths.size > 0) await indexChanged(context, changes.paths, signal);
  workspace.countAll(files.size);
  await embedRest(context, signal);
  await maintain(context, changed >= VACUUM_AFTER_CHANGES);
}

/** Maintenance after the pass: vacuums the database while the engine's thread resolves imports. */
async function maintain({ vacuum, storeEdges }: PassContext, needsVacuum: boolean): Promise<void> {
  const ended = await Promise.allSettled([needsVacuum ? vacuum() : undefined, storeEdges()]);
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}

/** Returns the number of changed and removed files. */
async function indexEverything(context: PassContext, signal: AbortSignal): Promise<number> {
  const { target, workspace } = context;
  const { root, store, lanes } = target;
  workspace.beginFullPass();
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
  const { target, workspace } = context;
  const { root, rules, files: stored, log } = target;
  const { present, gone } = await classifyChanges(paths, { root, rules, stored, log });
  workspace.reconsider([...present, ...gone]);
  // A burst is shown as indexing and yields to the foreground, as a full pass does.
  const isBurst = present.length > MAX_SMALL_FILES;
  if (isBurst) workspace.begin();
  if (present.length + gone.length === 0) return;
  const indexing = isBurst ? backgroundContext(context) : interactiveContext(context);
  const yields = present.length > MAX_IMMEDIATE_FILES;
  const gate = yields ? gateBehindForeground(context) : indexing.gate;
  await indexSome({ ...indexing, gate }, present, gone, signal);
}

/** Embeds pending chunks until more files change; the next pass indexes those first. */
async function embedRest(context: PassContext, signal: AbortSignal): Promise<void> {
  const { target, workspace } = context;
  if (target.embeddingHeld !== undefined) {
    workspace.degrade(target.embeddingHeld);
    return;
  }
  const isUrgent = () => workspace.hasWork;
  try {
    const reportPending = (pending: number) => workspace.embedding(pending);
    await embedPending({ ...backgroundContext(context), isUrgent, reportPending }, signal);
    workspace.finish();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Unavailable)) throw error;
    target.log.warn("cannot embed, will retry", { error: error.message });
    workspace.degradeForNow(`new code is found by keyword only: ${error.message}`);
  }
}

function backgroundContext(context: PassContext): IndexingContext {
  return {
    ...interactiveContext(context),
    preparer: context.background,
    smallWork: context.interactive,
    gate: gateBehindForeground(context),
    isOneEnough: () => context.isAsking(),
    yieldToSearches: () => context.yieldToSearches(),
  };
}

function gateBehindForeground(context: PassContext): IndexingContext["gate"] {
  return async (signal) => {
    await context.workspace.whilePaused(signal);
    await context.yieldToForeground(signal);
  };
}

function interactiveContext({ target, workspace, interactive }: PassContext): IndexingContext {
  return {
    ...target,
    preparer: interactive,
    gate: (signal) => workspace.whilePaused(signal),
    isOneEnough: () => false,
    yieldToSearches: async () => {},
    progress: (done, total, read) =>
      workspace.progress({ done, total, read, stored: target.files.size }),
    exclude: (file) => workspace.exclude(file),
    retryLater: (path) => workspace.touchLater(path),
  };
}
