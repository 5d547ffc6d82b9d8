/** The history of an open index: joins git, the worker threads, the store and the model. */

import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Unavailable } from "../../common/errors.ts";
import { createPauses, inSlices } from "../../common/slices.ts";
import type { Settings } from "../../config/settings.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { ChangeHistory, CommitRow, ReadCommit } from "../../contracts/history.ts";
import type { IndexState } from "../../contracts/session.ts";
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

/** How often a history that waits for the files looks whether they are indexed. */
const POLL_MS = 250;
/** How long a batch of commits waits for the files of other indexes: where those take hours, it is read a little at a time. */
const MAX_WAIT_FOR_OTHERS_MS = 30_000;

/**
 * How long a batch waits for somebody who searches on and on. To read and store one takes the database and a thread a
 * tenth of a second: the first hundred questions after an index of caddy took 10.1 ms beside them, and 7.2 without.
 */
const MAX_WAIT_FOR_SEARCHES_MS = 1_000;

/** Commits that are added between two pauses: with their words, some milliseconds. */
const COMMITS_AT_ONCE = 20;

/** What it needs of an open index. */
interface Source {
  readonly root: string;
  readonly settings: Settings;
  readonly embedder: Embedder;
  readonly workspace: { readonly state: IndexState };
  readonly store: IndexStore | undefined;
}

export interface IndexHistory {
  readonly reader: History;
  /** What questions are answered from; read from the store at the first one, and kept in step from then on. */
  commits(): Promise<CommitIndex>;
  /** Waits a moment for the newest commits where nothing has been read yet, and something may be. */
  firstCommits(signal: AbortSignal | undefined): Promise<void>;
  changesAround(paths: readonly string[]): Promise<ChangeHistory>;
  /** The repository of a folder inside the index, such as a submodule. Rejects with NoHistory. */
  openNested(folder: string): Promise<OpenRepository>;
  /** Ends the reading, and forgets what was read; resolves when nothing is written any more. */
  forget(): Promise<void>;
}

export function createIndexHistory(index: Source, deps: IndexDeps): IndexHistory {
  // A question that comes before the database is open must not decide what later ones are answered from.
  const whenOpen = async <T>(loaded: Loaded<T>, none: () => T): Promise<T> =>
    index.store === undefined ? none() : await loaded.get(index.store);
  /** A part of the commits, and all that many questions need; it is read with the commits where these come first. */
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
    const isRead = index.workspace.state !== "paused" && index.store?.writer.isHeld !== false;
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

/** Read from the store at the first request; read again after a failure. */
class Loaded<T> {
  readonly #load: (store: IndexStore) => Promise<T>;
  #known: Promise<T> | undefined;

  constructor(load: (store: IndexStore) => Promise<T>) {
    this.#load = load;
  }

  /** Undefined before anybody has asked. */
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

/** Requests are answered in between. */
async function addInSlices<Row>(
  to: { add(rows: readonly Row[]): void },
  rows: readonly Row[],
): Promise<void> {
  const pause = createPauses();
  for (let from = 0; from < rows.length; from += COMMITS_AT_ONCE) {
    to.add(rows.slice(from, from + COMMITS_AT_ONCE));
    await pause();
  }
}

function createHistory(
  index: Source,
  deps: IndexDeps,
  told: Pick<HistoryOptions, "changed" | "cleared">,
): History {
  const { root, settings, embedder } = index;
  return new History({
    ...told,
    ...repositoryOptions(root, deps),
    limit: settings["history.commits"],
    offReason: offReasonOf(settings),
    // No other setting changes what is made of a commit.
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
      const isForFiles = () => index.workspace.state === "indexing" || isForOthers();
      while (index.workspace.state === "paused" || (!isUrgent() && isForFiles())) {
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

/** A local model has embedded in the worker; another one is asked for what the cache does not have. */
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
  // Each by itself, also for a model that reads whole files: a commit is no part of another one.
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
