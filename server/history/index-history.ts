/** The commit history of an open index: reads new commits into the store, and loads the stored ones for searches. */

import { createPause, inSlices } from "../common/slices.ts";
import type { Embedder } from "../contracts/embedding.ts";
import type { ChangeHistory, CommitDistance, HistoryStore } from "../contracts/history.ts";
import type { Settings } from "../contracts/settings.ts";
import type { EmbeddingCache, IndexStore } from "../contracts/store.ts";
import { changesAround } from "./co-change.ts";
import { CommitChanges } from "./commit-changes.ts";
import { distanceReader } from "./commit-distance.ts";
import { CommitIndex } from "./commit-index.ts";
import { History, type HistoryOptions } from "./history.ts";
import { type OpenRepository, openRepository } from "./open-repository.ts";
import { embedRows } from "./with-vectors.ts";

/** Commits added per slice: a few milliseconds, with their terms. */
const COMMITS_AT_ONCE = 20;

/** The parts of an open index that its history needs. */
export interface HistorySource {
  readonly root: string;
  readonly settings: Settings;
  readonly embedder: Embedder;
  readonly store: Pick<IndexStore, "writer" | "history"> | undefined;
}

interface IndexHistoryOptions
  extends Pick<HistoryOptions, "folder" | "path" | "reader" | "log" | "gate" | "tidy"> {
  /** Whether reading is paused. */
  isPaused(): boolean;
  /** The cache of the vectors of a remote model. */
  vectors(): Promise<EmbeddingCache>;
}

export interface IndexHistory {
  readonly reader: History;
  /** The index of commits for searches; loaded at the first request and kept up to date from then on. */
  commits(): Promise<CommitIndex>;
  /** Waits briefly for the newest commits if none is read yet and this engine will read some. */
  firstCommits(signal: AbortSignal | undefined): Promise<void>;
  changesAround(paths: readonly string[]): Promise<ChangeHistory>;
  /** The repository of a folder inside the index, such as a submodule. Rejects with NoHistory. */
  openNested(folder: string): Promise<OpenRepository>;
  /** The distance of HEAD from a commit, whose text may come from another database; undefined if it is not known. */
  distanceFrom(commit: string): Promise<CommitDistance | undefined>;
  /** Stops reading and drops loaded data; resolves when nothing is written anymore. */
  forget(): Promise<void>;
}

export function openIndexHistory(index: HistorySource, options: IndexHistoryOptions): IndexHistory {
  // Before the database is open, answers are empty and not cached.
  const whenOpen = async <T>(loaded: Loaded<T>, none: () => T): Promise<T> =>
    index.store === undefined ? none() : await loaded.get(index.store.history);
  /** The changed files of commits, which many requests need alone. Taken from the loaded commits if there are any. */
  const loadedChanges = new Loaded(async (store): Promise<CommitChanges> => {
    const whole = await loadedCommits.known;
    return whole?.changes ?? (await loadChanges(store));
  });
  const changes = () => whenOpen(loadedChanges, () => new CommitChanges());
  const loadedCommits = new Loaded(async (store) => loadCommits(store, await loadedChanges.known));
  const commits = () => whenOpen(loadedCommits, () => new CommitIndex());
  const forgetLoaded = () => {
    loadedCommits.forget();
    loadedChanges.forget();
  };
  const { root, settings, embedder } = index;
  const history = new History({
    ...options,
    root,
    limit: settings["history.commits"],
    offReason: offReasonOf(settings),
    // Only these settings change how a commit is read.
    rules: {
      "indexing.includePatterns": settings["indexing.includePatterns"],
      "indexing.excludePatterns": settings["indexing.excludePatterns"],
      "indexing.nestedWorktrees": settings["indexing.nestedWorktrees"],
    },
    modelId: embedder.modelId,
    isLocalModel: embedder.isLocal,
    store: () => (index.store?.writer.isHeld === true ? index.store.history : undefined),
    embed: (rows, signal) => embedRows(rows, embedder, options, signal),
    changed: async (added, removed) => {
      const known = (await loadedCommits.known) ?? (await loadedChanges.known);
      known?.remove(removed);
      known?.add(added.filter(({ lanes }) => lanes !== ""));
    },
    cleared: forgetLoaded,
  });
  return {
    reader: history,
    commits,
    firstCommits: async (signal) => {
      const isRead = !options.isPaused() && index.store?.writer.isHeld !== false;
      if (isRead) await history.firstCommits(signal);
    },
    changesAround: async (paths) => await inSlices(changesAround(await changes(), paths)),
    openNested: async (nested) => await openRepository({ ...options, root }, nested),
    distanceFrom: distanceReader({ ...options, root }),
    forget: async () => {
      forgetLoaded();
      await history.halt();
    },
  };
}

/** A value loaded from the store at the first request, and again after a failure. */
class Loaded<T> {
  readonly #load: (store: HistoryStore) => Promise<T>;
  #known: Promise<T> | undefined;

  constructor(load: (store: HistoryStore) => Promise<T>) {
    this.#load = load;
  }

  /** Undefined before the first request. */
  get known(): Promise<T> | undefined {
    return this.#known;
  }

  async get(store: HistoryStore): Promise<T> {
    this.#known ??= this.#load(store).catch((error: unknown) => {
      this.#known = undefined;
      throw error;
    });
    return await this.#known;
  }

  forget(): void {
    this.#known = undefined;
  }
}

async function loadChanges(history: HistoryStore): Promise<CommitChanges> {
  const changes = new CommitChanges();
  await history.open();
  for await (const page of history.changeRows()) await addInSlices(changes, page);
  return changes;
}

async function loadCommits(
  history: HistoryStore,
  changes: CommitChanges | undefined,
): Promise<CommitIndex> {
  const commits = new CommitIndex(changes);
  await history.open();
  for await (const page of history.laneRows()) await addInSlices(commits, page);
  return commits;
}

/** Pauses between slices, so that requests are answered. */
async function addInSlices<Row>(
  to: { add(rows: readonly Row[]): void },
  rows: readonly Row[],
): Promise<void> {
  const pause = createPause();
  for (let from = 0; from < rows.length; from += COMMITS_AT_ONCE) {
    to.add(rows.slice(from, from + COMMITS_AT_ONCE));
    await pause();
  }
}

function offReasonOf(settings: Settings): string | undefined {
  if (settings["history.commits"] === 0) return "history.commits is 0";
  return settings["indexing.enabled"] ? undefined : "indexing.enabled is off";
}
