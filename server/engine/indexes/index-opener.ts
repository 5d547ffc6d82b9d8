/** Opens the stored index of a workspace, as far as this program can use it, and reads it into memory. */

import { basename } from "node:path";
import { Unavailable } from "../../common/errors.ts";
import { TimeLimitExceeded, withTimeLimit } from "../../common/time-limit.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { LiveLanes } from "../../contracts/lanes.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { Compatibility, IndexStore, Store } from "../../contracts/store.ts";
import { IndexGraph } from "../../graph/live-graph.ts";
import { StoredFiles } from "../../indexing/stored-files.ts";
import { compatibility, SCHEMA_VERSION } from "../../store/compatibility.ts";
import { nameFromFolder } from "../../store/names.ts";
import type { IndexDeps } from "./index-deps.ts";
import { indexFingerprint } from "./index-fingerprint.ts";
import { loadLanes } from "./load-lanes.ts";
import { pendingPaths } from "./replica-sync.ts";

/** A model that has to be loaded first takes longer, and is then asked for the first vectors. */
const PROBE_MS = 10_000;

/** Which index is opened, and with what. */
export interface IndexRequest {
  readonly root: string;
  readonly settings: Settings;
  readonly embedder: Embedder;
  /** A fingerprint of all rules that may exclude a file for its content. */
  readonly exclusionRules: string;
  /** Whether it is emptied as soon as it is open. */
  readonly isForgotten?: boolean;
  readonly deps: Pick<
    IndexDeps,
    | "stores"
    | "createLanes"
    | "openSqlLanes"
    | "lanesFiles"
    | "edgesFiles"
    | "createScratch"
    | "log"
    | "notify"
  >;
}

export interface OpenedStore {
  readonly database: Store;
  readonly store: IndexStore;
  readonly compatibility: Compatibility;
}

/** What is in memory of an index. */
export interface IndexContents {
  readonly store: IndexStore;
  readonly lanes: LiveLanes;
  readonly files: StoredFiles;
  readonly graph: IndexGraph;
  /** The files that have chunks without a vector, where another engine may write them. */
  readonly pending: ReadonlySet<string>;
  /** Whether chunks without a vector were read. */
  readonly lacksVectors: boolean;
  /** Whether the lanes were stored ready to use, so that no chunk was read. */
  readonly wereReady: boolean;
  /** Whether the edges of the graph were stored ready to use. */
  readonly hadEdges: boolean;
}

/**
 * Opens an index to write it. It is rebuilt where nothing of it can be used; its vectors are replaced where that
 * costs nothing, or where the user asked for it by `isReembedding`.
 */
export async function openStore(
  request: IndexRequest,
  isReembedding: boolean,
): Promise<OpenedStore> {
  const { root, settings, embedder, deps } = request;
  if (isReembedding) await learnDimension(embedder);
  const current = indexFingerprint(settings, embedder);
  const { database, name } = await findDatabase(request);
  const store = await database.open({ name, root, ...current });
  // Only the engine that writes an index may replace it.
  const isWriter = await store.writer.tryHold();
  const fit = await compatibilityOf(request, store);
  if (isWriter && fit.kind !== "rebuild" && !(await store.hasTables())) {
    const whole = await replaceDamaged(request, { database, store });
    return { database, store: whole, compatibility: { kind: "usable" } };
  }
  const isKept = fit.kind === "refresh" && !embedder.isLocal && !isReembedding;
  if (!isWriter || fit.kind === "usable" || isKept) return { database, store, compatibility: fit };
  deps.log.info("an older index is replaced", { name, reason: fit.reason });
  const usable = { kind: "usable" } as const;
  if (fit.kind === "refresh") {
    await store.update({ modelId: current.modelId, dimension: current.dimension });
    return { database, store, compatibility: usable };
  }
  await deps.lanesFiles.remove(name);
  await database.drop(name);
  const empty = await database.open({ name, root, ...current });
  return { database, store: empty, compatibility: usable };
}

/** Asked before vectors are made again, which those of another dimension would keep from being stored. */
async function learnDimension(embedder: Embedder): Promise<void> {
  if (embedder.isLocal) return;
  try {
    await withTimeLimit(PROBE_MS, [], (signal) => embedder.probe(signal));
  } catch (error) {
    // Until it answers, what is stored is found by words.
    if (!(error instanceof Unavailable || error instanceof TimeLimitExceeded)) throw error;
  }
}

/** While the built-in database is opened, the lanes are read that most likely will be wanted. */
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

/** Finds an index to search it, and writes nothing; `store` is undefined where none can be searched. */
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
): Promise<IndexContents> {
  // Before the lanes: what another engine writes meanwhile then shows as a difference, and is looked at again.
  const hashes = await store.hashes();
  const pending = store.isShared ? await pendingPaths(store) : new Set<string>();
  // Asked at once: the database answers one question while the answer to another is taken apart here.
  const [loaded, fingerprints, encodings, unfinished, excluded, hasAllEdges, withoutFacts, edges] =
    await Promise.all([
      loadLanes(deps, store, settings, () => embedder.dimension ?? 0),
      store.statFingerprints(),
      store.encodings(),
      store.unfinished(),
      store.exclusions(exclusionRules),
      store.hasAllEdges(),
      store.pathsWithoutFacts(),
      deps.edgesFiles.read(store),
    ]);
  const files = new StoredFiles(hashes, fingerprints, unfinished, excluded, encodings);
  const graph = new IndexGraph({ rootName: basename(root), scratch: deps.createScratch() });
  graph.loadLater({
    paths: hashes.keys(),
    hasAllEdges,
    edges,
    read: () => store.facts(),
    readImporters: () => store.importerCounts(),
  });
  // What a program stored that knew no graph is read again.
  for (const path of withoutFacts) files.put({ path, sha256: "" });
  return { store, files, pending, graph, hadEdges: edges !== undefined, ...loaded };
}

/**
 * False where lanes that were stored ready are to be thrown away, because some of the chunks that they were made from are
 * lost. Searches are answered meanwhile.
 */
export async function isStillStored({ store, wereReady }: IndexContents): Promise<boolean> {
  return !wereReady || !store.writer.isHeld || (await store.checkAll());
}

/** False for an index that this engine writes and of which the disk has lost some chunks. */
export async function isUndamaged({ store, lanes }: IndexContents): Promise<boolean> {
  // While another engine writes, two counts need not agree, and what is damaged is its to replace.
  return !store.writer.isHeld || (await store.checkIntegrity(lanes.size));
}

/** An empty index in place of a damaged one: searching what is left of it would give half an answer. */
export async function replaceDamaged(
  { root, settings, embedder, deps }: IndexRequest,
  { database, store: { name } }: Pick<OpenedStore, "database" | "store">,
): Promise<IndexStore> {
  deps.log.error("an index has lost some of its chunks and is rebuilt", { root });
  deps.notify(`the index of ${root} was damaged and is rebuilt`);
  await deps.lanesFiles.remove(name);
  await database.drop(name);
  return await database.open({ name, root, ...indexFingerprint(settings, embedder) });
}

/** What a newer program wrote is not replaced by an older one. */
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
  const current = { ...indexFingerprint(settings, embedder), schemaVersion: SCHEMA_VERSION };
  return compatibility(record, current);
}
