/** One pass: what changed is indexed, then what has no vector yet is embedded. The workspace is told how far it is. */

import { Unavailable } from "../common/errors.ts";
import { createPause } from "../common/slices.ts";
import type { Preparer } from "../contracts/preparer.ts";
import { embedPending } from "./embed-pending.ts";
import { removeInSlices } from "./follow-commit.ts";
import { type IndexingContext, type IndexTarget, indexAll, indexSome } from "./indexer.ts";
import { MAX_SMALL_FILES } from "./small-work.ts";
import { classifyChanges } from "./watching/classify-changes.ts";
import { readHead } from "./watching/git-head.ts";
import type { Changes, Workspace } from "./workspace.ts";

/** Up to this many are what a user just saved; of more, each waits for the searches that are being answered. */
const MAX_IMMEDIATE_FILES = 4;
/** After fewer changes the database's statistics and space are still good. */
const VACUUM_AFTER_CHANGES = 200;

export interface PassContext {
  readonly target: IndexTarget;
  readonly workspace: Workspace;
  /** For many files: gives way to everything else. */
  readonly background: Preparer;
  /** For a few files that were just saved, or are all there is to read: a user waits for them. */
  readonly interactive: Preparer;
  /** Waits while a user searches or types. */
  yieldToForeground(signal: AbortSignal): Promise<void>;
  /** Whether a user searches or types, or searched a moment ago. */
  isAsking(): boolean;
  /** Waits a moment while a user searches. */
  yieldToSearches(): Promise<void>;
  /** Brings the database's statistics and space up to date. */
  vacuum(): Promise<void>;
  /** Resolves what the files of the index import, and stores it. */
  storeEdges(): Promise<void>;
}

/** Rejects with the signal's reason, with Unavailable, or with the failure; what was committed by then stays. */
export async function runPass(
  context: PassContext,
  changes: Changes,
  signal: AbortSignal,
): Promise<void> {
  const { target, workspace } = context;
  const { store, files } = target;
  // What is stored can be searched by now; nothing more is done while it is paused.
  await workspace.whilePaused(signal);
  signal.throwIfAborted();
  if (changes.isForgetting) {
    await store.truncate();
    await removeInSlices(target, [...files.paths()], createPause(context.yieldToSearches));
    files.clear();
  }
  // A user who asks for everything again does not trust what was recognized.
  if (changes.isReopening) files.forgetFingerprints();
  let changed = 0;
  if (changes.isFull) changed = await indexEverything(context, signal);
  else if (changes.paths.size > 0) await indexChanged(context, changes.paths, signal);
  workspace.countAll(files.size);
  await embedRest(context, signal);
  await settle(context, changed >= VACUUM_AFTER_CHANGES);
}

/** What nobody waits for; the database is put in order while imports are resolved in the engine's own thread. */
async function settle({ vacuum, storeEdges }: PassContext, needsVacuum: boolean): Promise<void> {
  const ended = await Promise.allSettled([needsVacuum ? vacuum() : undefined, storeEdges()]);
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}

/** How many files were changed or removed. */
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
  // They are shown as indexing and give way as a full pass does; fewer are done at once.
  const isBurst = present.length > MAX_SMALL_FILES;
  if (isBurst) workspace.begin();
  if (present.length + gone.length === 0) return;
  const indexing = isBurst ? backgroundContext(context) : interactiveContext(context);
  const givesWay = present.length > MAX_IMMEDIATE_FILES;
  const gate = givesWay ? gateBehindForeground(context) : indexing.gate;
  await indexSome({ ...indexing, gate }, present, gone, signal);
}

/** Files that change meanwhile come first. */
async function embedRest(context: PassContext, signal: AbortSignal): Promise<void> {
  const { target, workspace } = context;
  if (target.embeddingHeld !== undefined) {
    workspace.degrade(target.embeddingHeld);
    return;
  }
  const isUrgent = () => workspace.hasWork;
  try {
    const left = (pending: number) => workspace.embedding(pending);
    await embedPending({ ...backgroundContext(context), isUrgent, left }, signal);
    workspace.finish();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Unavailable)) throw error;
    target.log.warn("embedding is pending", { error: error.message });
    workspace.degradeForNow(`what is new is found by words only: ${error.message}`);
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
    tryLater: (path) => workspace.touchLater(path),
  };
}
