/** The commit history of an open index: connects git, the worker threads, the store and the model. */

import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Unavailable } from "../../common/errors.ts";
import { createPause, inSlices } from "../../common/slices.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { ChangeHistory, CommitRow, ReadCommit } from "../../contracts/history.ts";
import type { IndexState } from "../../contracts/session.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { EmbeddingCache, IndexStore } from "../../contracts/store.ts";
import { changesAround } from "../../history/co-change.ts";
import { CommitChanges } from "../../history/commit-changes.ts";
import { CommitIndex } from "../../history/commit-index.ts";
import { History, type HistoryOptions } from "../../history/history.ts";
import {
  type OpenRepository,
  openRepository,
  type RepositoryOptions,
} from "../../history/open-repository.ts";
import { withVectors } from "../../history/with-vectors.ts";
import { gitFolder, readHead } from "../../indexing/watching/git-head.ts";
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

/** Commits added per slice: a few milliseconds, with their terms. */
const COMMITS_AT_ONCE = 20;

/** The parts of an open index that its history needs. */
interface Source {
  readonly root: string;
  readonly settings: Settings;
  readonly embedder: Embedder;
  readonly workspace: { readonly status: { readonly state: IndexState } };
  readonly store: IndexStore | undefined;
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
  /** Stops reading and drops loaded data; resolves when nothing is written anymore. */
  forget(): Promise<void>;
}

export function createIndexHistory(index: Source, deps: IndexDeps): IndexHistory {
  // Before the database is open, answers are empty and not cached.
  const whenOpen = async <T>(loaded: Loaded<T>, none: () => T): Promise<T> =>
    index.store === undefined ? none() : await loaded.get(index.store);
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
  const history = createHistory(index, deps, {
    changed: async (added, removed) => {
      const known = (await loadedCommits.known) ?? (await loadedChanges.known);
      known?.remove(removed);
      known?.add(added.filter(({ lanes }) => lanes !== ""));
    },
    cleared: forgetLoaded,
  });
  const forget = async () => {
    forgetLoaded();
    await history.halt();
  };
  const firstCommits = async (signal: AbortSignal | undefined) => {
    const isRead =
      index.workspace.status.state !== "paused" && index.store?.writer.isHeld !== false;
    if (isRead) await history.firstCommits(signal);
  };
  return {
    reader: history,
    commits,
    firstCommits,
    changesAround: async (paths) => await inSlices(changesAround(await changes(), paths)),
    openNested: async (nested) =>
      await openRepository(repositoryOptions(index.root, deps), await headOf(nested), nested),
    forget,
  };
}

/** A value loaded from the store at the first request, and again after a failure. */
class Loaded<T> {
  readonly #load: (store: IndexStore) => Promise<T>;
  #known: Promise<T> | undefined;

  constructor(load: (store: IndexStore) => Promise<T>) {
    this.#load = load;
  }

  /** Undefined before the first request. */
  get known(): Promise<T> | undefined {
    return this.#known;
  }

  async get(store: IndexStore): Promise<T> {
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

async function loadChanges({ history }: IndexStore): Promise<CommitChanges> {
  const changes = new CommitChanges();
  await history.open();
  for await (const page of history.changeRows()) await addInSlices(changes, page);
  return changes;
}

async function loadCommits(
  { history }: IndexStore,
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

function createHistory(
  index: Source,
  deps: IndexDeps,
  listener: Pick<HistoryOptions, "changed" | "cleared">,
): History {
  const { root, settings, embedder } = index;
  return new History({
    ...listener,
    ...repositoryOptions(root, deps),
    limit: settings["history.commits"],
    offReason: offReasonOf(settings),
    // Only these settings change how a commit is read.
    rules: {
      "indexing.includePatterns": settings["indexing.includePatterns"],
      "indexing.excludePatterns": settings["indexing.excludePatterns"],
    },
    modelId: embedder.modelId,
    isLocalModel: embedder.isLocal,
    reader: deps.preparers.commits,
    log: deps.log,
    head: () => headOf(root),
    store: () => (index.store?.writer.isHeld === true ? index.store.history : undefined),
    gate: async (signal, isUrgent) => {
      const deadline = performance.now() + MAX_WAIT_FOR_OTHERS_MS;
      const isForOthers = () => deps.isIndexing() && performance.now() < deadline;
      const isForFiles = () => index.workspace.status.state === "indexing" || isForOthers();
      while (index.workspace.status.state === "paused" || (!isUrgent() && isForFiles())) {
        await delay(POLL_MS, undefined, { signal, ref: false });
      }
      await deps.throttle.whenQuiet(() => signal.aborted || isUrgent(), MAX_WAIT_FOR_SEARCHES_MS);
    },
    embed: (rows, signal) => embedRows(index, deps, rows, signal),
    tidy: async (signal) => {
      await deps.throttle.whenQuiet(() => signal.aborted, MAX_WAIT_FOR_SEARCHES_MS);
      if (!signal.aborted) await (await deps.stores.get(settings["database.url"])).vacuum();
    },
  });
}

function repositoryOptions(root: string, deps: IndexDeps): RepositoryOptions {
  return { root, folder: join(dirname(deps.data), "history"), path: process.env["PATH"] };
}

function offReasonOf(settings: Settings): string | undefined {
  if (settings["history.commits"] === 0) return "history.commits is 0";
  return settings["indexing.enabled"] ? undefined : "indexing.enabled is off";
}

async function headOf(root: string) {
  const [folder, { commit }] = await Promise.all([gitFolder(root), readHead(root)]);
  return folder === undefined || commit === undefined ? undefined : { gitFolder: folder, commit };
}

/** The worker has embedded for a local model; a remote model embeds texts that are not in the cache. */
async function embedRows(
  { embedder, settings }: Source,
  { stores, log }: IndexDeps,
  rows: readonly ReadCommit[],
  signal: AbortSignal,
): Promise<readonly CommitRow[]> {
  if (embedder.isLocal) return rows;
  const { embeddings } = await stores.get(settings["database.url"]);
  try {
    return withVectors(rows, await vectorsOf(embedder, embeddings, rows, signal));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Unavailable)) throw error;
    log.warn("commits are stored without their vectors", { error: error.message });
    return withVectors(rows, []);
  }
}

async function vectorsOf(
  embedder: Embedder,
  cache: EmbeddingCache,
  rows: readonly ReadCommit[],
  signal: AbortSignal,
): Promise<(Float32Array | undefined)[]> {
  // One chunk per commit, also for models that embed all chunks of a file together.
  const chunks = rows.map(({ sha, text = "" }) => ({ path: sha, text, names: [] }));
  const hashes = chunks.map(({ text, names }) => {
    const [key = ""] = embedder.cacheTexts([{ path: "", text, names }]);
    return createHash("sha256").update(key).digest("hex");
  });
  const known = await cache.get(embedder.modelId, hashes, embedder.dimension);
  const missing = chunks.flatMap((chunk, i) => {
    const hash = hashes[i] ?? "";
    return chunk.text === "" || known.has(hash) ? [] : [{ chunk, hash }];
  });
  const vectors = await embedder.embedChunks(
    missing.map(({ chunk }) => chunk),
    signal,
  );
  const made = new Map(missing.map(({ hash }, i) => [hash, vectors[i]] as const));
  await cache.put(
    embedder.modelId,
    new Map([...made].flatMap(([hash, vector]) => (vector === undefined ? [] : [[hash, vector]]))),
  );
  return hashes.map((hash) => known.get(hash) ?? made.get(hash));
}
