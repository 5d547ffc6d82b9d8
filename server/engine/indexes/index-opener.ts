/** Opens the stored index of a workspace, if it is compatible, and loads it into memory. */

import { basename } from "node:path";
import { Unavailable } from "../../common/errors.ts";
import { linkedRepository } from "../../common/git-pointer.ts";
import { TimeLimitExceeded, withTimeLimit } from "../../common/time-limit.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { LiveLanes } from "../../contracts/lanes.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { Compatibility, IndexStore, Store } from "../../contracts/store.ts";
import { IndexGraph } from "../../graph/live-graph.ts";
import type { IgnoreRules } from "../../indexing/ignore/ignore-rules.ts";
import { StoredFiles } from "../../indexing/stored-files.ts";
import { compatibility, SCHEMA_VERSION } from "../../store/compatibility.ts";
import { nameFromFolder } from "../../store/names.ts";
import type { IndexDeps } from "./index-deps.ts";
import { currentKeys, indexFingerprint } from "./index-fingerprint.ts";
import { loadLanes } from "./load-lanes.ts";
import { pendingPaths } from "./replica-sync.ts";
import { type FoundSeed, findSeed } from "./seed-index.ts";

/** Time limit for the dimension of a model; a model that loads longer is asked again with the first vectors. */
const PROBE_MS = 10_000;

/** The index to open, with its settings and dependencies. */
export interface IndexRequest {
  readonly root: string;
  readonly settings: Settings;
  readonly embedder: Embedder;
  readonly rules: IgnoreRules;
  /** A fingerprint of the rules that exclude files by content. */
  readonly exclusionRules: string;
  /** Whether the index is emptied right after it is opened. */
  readonly isForgotten?: boolean;
  readonly deps: Pick<
    IndexDeps,
    | "stores"
    | "createLanes"
    | "openSqlLanes"
    | "lanesFiles"
    | "committedAt"
    | "edgesFiles"
    | "log"
    | "notify"
  >;
}

export interface OpenedStore {
  readonly database: Store;
  readonly store: IndexStore;
  readonly compatibility: Compatibility;
  /** The rows of another index that a new one began with. */
  readonly seed?: FoundSeed | undefined;
}

/** The in-memory part of an index. */
export interface IndexContents {
  readonly store: IndexStore;
  readonly lanes: LiveLanes;
  readonly files: StoredFiles;
  readonly graph: IndexGraph;
  /** Files with chunks without a vector, if another engine may write their vectors. */
  readonly pending: ReadonlySet<string>;
  /** Whether some loaded chunks have no vector. */
  readonly lacksVectors: boolean;
  /** Whether the lanes came from a snapshot file, so that no chunk was read. */
  readonly wereReady: boolean;
  /** Whether the edges of the graph came from a snapshot file. */
  readonly hadEdges: boolean;
}

/**
 * Opens an index for writing. Rebuilds it if it is incompatible. Replaces vectors of another model if the model is
 * local or `isReembedding` is set.
 */
export async function openStore(
  request: IndexRequest,
  isReembedding: boolean,
): Promise<OpenedStore> {
  const { settings, embedder, deps } = request;
  if (isReembedding) await learnDimension(embedder);
  const current = indexFingerprint(settings, embedder);
  const { database, name } = await findDatabase(request);
  const seed = await seedFor(request, { database, name }, isReembedding);
  const record = { name, ...recordOf(request) };
  const store = await database.open(record, seed);
  // Only the writer of an index may replace it.
  const isWriter = await store.writer.tryHold();
  const fit = await compatibilityOf(request, store);
  if (isWriter && fit.kind !== "rebuild" && !(await store.hasTables())) {
    const whole = await replaceDamaged(request, { database, store });
    return { database, store: whole, compatibility: { kind: "usable" } };
  }
  const isKept = fit.kind === "refresh" && !embedder.isLocal && !isReembedding;
  if (!isWriter || fit.kind === "usable" || isKept)
    return { database, store, compatibility: fit, seed };
  deps.log.info("an outdated index is rebuilt", { name, reason: fit.reason });
  const usable = { kind: "usable" } as const;
  if (fit.kind === "refresh") {
    await store.update({ modelId: current.modelId, dimension: current.dimension });
    return { database, store, compatibility: usable };
  }
  await deps.lanesFiles.remove(name);
  await database.drop(name);
  const empty = await database.open(record);
  return { database, store: empty, compatibility: usable };
}

/** The catalog entry of a new index, without its name. */
function recordOf({ root, settings, embedder }: IndexRequest) {
  const worktreeOf = linkedRepository(root);
  const current = indexFingerprint(settings, embedder);
  return { root, ...current, ...(worktreeOf === undefined ? {} : { worktreeOf }) };
}

/** The rows that a new index may take over from another worktree of its repository. */
async function seedFor(
  { root, rules, settings, embedder, exclusionRules, isForgotten, deps }: IndexRequest,
  { database, name }: { readonly database: Store; readonly name: string },
  isReembedding: boolean,
): Promise<FoundSeed | undefined> {
  if (isForgotten === true || isReembedding) return undefined;
  const records = await database.list();
  if (records.some((record) => record.name === name)) return undefined;
  const current = currentKeys(settings, embedder);
  const maxFileBytes = settings["indexing.maxFileBytes"];
  const index = { root, rules, current, maxFileBytes, exclusionRules };
  return await findSeed(index, records, database, deps);
}

/**
 * Asks the provider for its dimension before re-embedding: vectors of the old dimension cannot be stored beside new
 * ones.
 */
async function learnDimension(embedder: Embedder): Promise<void> {
  if (embedder.isLocal) return;
  try {
    await withTimeLimit(PROBE_MS, [], (signal) => embedder.probe(signal));
  } catch (error) {
    // Until the provider answers, searches use keywords only.
    if (!(error instanceof Unavailable || error instanceof TimeLimitExceeded)) throw error;
  }
}

/** Starts reading the lanes of the most likely index while the built-in database opens. */
async function findDatabase({
  root,
  settings,
  deps,
  isForgotten,
}: IndexRequest): Promise<{ readonly database: Store; readonly name: string }> {
  const url = settings["database.url"];
  const likely = settings.indexName || nameFromFolder(root);
  if (url === "" && isForgotten !== true) deps.lanesFiles.readEarly(likely);
  try {
    const database = await deps.stores.get(url);
    const name = await database.nameFor(root, settings.indexName);
    if (name !== likely) deps.lanesFiles.forgetEarly(likely);
    return { database, name };
  } catch (error) {
    deps.lanesFiles.forgetEarly(likely);
    throw error;
  }
}

/** Finds an index for searching, without writing; `store` is undefined if none can be searched. */
export async function findStore(request: IndexRequest): Promise<{
  readonly store: IndexStore | undefined;
  readonly compatibility: Compatibility;
}> {
  const { database, name } = await findDatabase(request);
  const store = await database.find(name);
  if (store === undefined) {
    request.deps.lanesFiles.forgetEarly(name);
    return { store, compatibility: { kind: "usable" } };
  }
  const fit = await compatibilityOf(request, store);
  return { store: fit.kind === "rebuild" ? undefined : store, compatibility: fit };
}

export async function readContents(
  { root, settings, embedder, deps, exclusionRules }: IndexRequest,
  store: IndexStore,
  seed?: FoundSeed,
): Promise<IndexContents> {
  // Read before the lanes: what another engine writes meanwhile shows up as a difference and is read again.
  const hashes = await store.hashes();
  const pending = store.isShared ? await pendingPaths(store) : new Set<string>();
  // Sent at once: the database answers one query while the result of another is decoded here.
  const [loaded, fingerprints, encodings, unfinished, excluded, hasAllEdges, withoutFacts, edges] =
    await Promise.all([
      loadLanes(deps, { store, settings, seed }, () => embedder.dimension ?? 0),
      store.statFingerprints(),
      store.encodings(),
      store.unfinished(),
      store.exclusions(exclusionRules),
      store.hasAllEdges(),
      store.pathsWithoutFacts(),
      deps.edgesFiles.read(store),
    ]);
  const files = new StoredFiles(hashes, fingerprints, unfinished, excluded, encodings);
  const graph = new IndexGraph({ rootName: basename(root) });
  graph.loadLater({
    paths: hashes.keys(),
    hasAllEdges,
    edges,
    read: () => store.facts(),
    readImporters: () => store.importerCounts(),
  });
  // Files stored by a program without a graph have no facts and are read again.
  for (const path of withoutFacts) files.put({ path, sha256: "" });
  return { store, files, pending, graph, hadEdges: edges !== undefined, ...loaded };
}

/**
 * False if lanes from a snapshot must be dropped, because chunks that they were made from are lost. Searches are
 * answered during the check.
 */
export async function isStillStored({ store, wereReady }: IndexContents): Promise<boolean> {
  return !wereReady || !store.writer.isHeld || (await store.checkAll());
}

/** False for an index that this engine writes and whose database has lost chunks. */
export async function isUndamaged({ store, lanes }: IndexContents): Promise<boolean> {
  // While another engine writes, the counts may differ, and repairs are its task.
  return !store.writer.isHeld || (await store.checkIntegrity(lanes.size));
}

/** Replaces a damaged index by an empty one: its remains would give incomplete answers. */
export async function replaceDamaged(
  request: IndexRequest,
  { database, store: { name } }: Pick<OpenedStore, "database" | "store">,
): Promise<IndexStore> {
  const { root, deps } = request;
  deps.log.error("an index has lost chunks and is rebuilt", { root });
  deps.notify(`the index of ${root} was damaged and is rebuilt`);
  await deps.lanesFiles.remove(name);
  await database.drop(name);
  return await database.open({ name, ...recordOf(request) });
}

/** Throws Unavailable for an index of a newer version, which must not be replaced. */
async function compatibilityOf(
  { settings, embedder }: IndexRequest,
  store: IndexStore,
): Promise<Compatibility> {
  const record = await store.record();
  if (record.schemaVersion > SCHEMA_VERSION) {
    throw new Unavailable(
      `the index ${store.name} was written by a newer version of cocosearch-lsp`,
      `update this program, or run cocosearch-lsp clear ${store.name} to index again with this one`,
    );
  }
  return compatibility(record, currentKeys(settings, embedder));
}
