/** One workspace opened in the engine: its store, lanes, model and watcher, joined. Shared by all sessions that opened it. */

import { createHash } from "node:crypto";
import { messageOf } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { Settings } from "../config/settings.ts";
import type { Embedder } from "../contracts/embedding.ts";
import type { LiveLanes } from "../contracts/lanes.ts";
import type { ExcludedFile } from "../contracts/model.ts";
import type { Compatibility, IndexStore, Store } from "../contracts/store.ts";
import { createEmbedder } from "../embedding/create.ts";
import { CHUNKER_VERSION } from "../indexing/chunking/chunk.ts";
import { discover } from "../indexing/discovery/discover.ts";
import { createIgnoreRules, type IgnoreRules } from "../indexing/ignore/ignore-rules.ts";
import type { IndexingContext } from "../indexing/indexer.ts";
import { classifyChanges } from "../indexing/watching/classify-changes.ts";
import { readHead } from "../indexing/watching/git-head.ts";
import { type Watching, watch } from "../indexing/watching/watch.ts";
import { type Opened, Workspace } from "../indexing/workspace.ts";
import { compatibility, SCHEMA_VERSION } from "../store/compatibility.ts";
import type { Parts } from "./dependencies.ts";
import { createIndexHistory, type IndexHistory } from "./index-history.ts";
import { loadLanes } from "./load-lanes.ts";
import { pendingPaths, type ReplicaSource, ReplicaSync } from "./replica-sync.ts";

/** A workspace with more files that hold secrets is a collection of them. */
const MAX_REDACTED = 10_000;
/** Below this, statistics and space are as good as they were. */
const VACUUM_AFTER_CHANGES = 200;

export class OpenIndex {
  readonly root: string;
  readonly settings: Settings;
  /** Undefined until the database has answered. */
  store: IndexStore | undefined;
  lanes: LiveLanes | undefined;
  name: string | undefined;
  /** Until it is indexed again, because what was stored of it was dropped. */
  isStopped = false;
  compatibility: Compatibility = { kind: "usable" };
  readonly embedder: Embedder;
  readonly rules: IgnoreRules;
  readonly workspace: Workspace;
  readonly past: IndexHistory;

  readonly #parts: Parts;
  readonly #log: Log;
  #hashes: ReadonlyMap<string, string> | undefined;
  #watching: Promise<Watching | undefined>;
  #isReembedding = false;
  #replicaSync: ReplicaSync | undefined;
  #isClosed = false;
  readonly #firstOpening = deferred();

  constructor(root: string, settings: Settings, parts: Parts, changed: (index: OpenIndex) => void) {
    this.root = root;
    this.settings = settings;
    this.#parts = parts;
    this.#log = parts.log;
    this.embedder = createEmbedder(settings, parts.table, parts.log);
    this.rules = createIgnoreRules(root, settings);
    this.workspace = new Workspace({
      root,
      isEnabled: settings["indexing.enabled"],
      log: parts.log,
      open: () => this.#open(),
      readStored: () => this.#readStored(),
      yieldToForeground: (signal) => parts.throttle.yieldToForeground(signal),
      changed: () => changed(this),
    });
    this.past = createIndexHistory(this, parts);
    this.#watching = settings["indexing.enabled"]
      ? this.#startWatching()
      : Promise.resolve(undefined);
  }

  /** Indexes again from the start; `full` forgets what is stored. A changed model takes effect here. */
  reindex(full: boolean): void {
    this.#isReembedding = true;
    this.isStopped = false;
    this.rules.refresh();
    this.workspace.restart(full);
  }

  /** How files are cut. */
  get chunking(): IndexingContext["chunking"] {
    const { settings } = this;
    return {
      chunkSize: settings["indexing.chunkSize"],
      chunkOverlap: settings["indexing.chunkOverlap"],
      chunkStrategy: settings["indexing.chunkStrategy"],
      grammars: settings["languages.grammars"],
      maxFileBytes: settings["indexing.maxFileBytes"],
    };
  }

  /** What an index of today would be made with. */
  get #current() {
    return indexFingerprint(this.settings, this.embedder);
  }

  /** The sha256 of what is in the index of a file. */
  storedHash(path: string): string | undefined {
    return this.#hashes?.get(path);
  }

  /** For searches before the database has answered. */
  emptyLanes(): LiveLanes {
    return this.#parts.createLanes();
  }

  /** Why a path is not in the index, or that it is. */
  async why(path: string): Promise<string> {
    const decision = await this.#decision(path);
    const secrets = (await this.store?.redactedChunks(MAX_REDACTED))?.get(path) ?? 0;
    return secrets === 0 ? decision : `${decision}; ${redactedNote(secrets)}`;
  }

  /** What is not in the index, and why: at most `limit` files, those of which a part is missing last. */
  async excluded(limit: number): Promise<readonly ExcludedFile[]> {
    const whole = [...this.workspace.excluded.values()].slice(0, limit);
    const rest = limit - whole.length;
    if (rest === 0) return whole;
    const parts =
      (await this.store?.redactedChunks(Math.min(rest, MAX_REDACTED))) ?? new Map<string, number>();
    return [
      ...whole,
      ...[...parts].map(([path, secrets]) => ({ path, rule: redactedNote(secrets) })),
    ];
  }

  async #decision(path: string): Promise<string> {
    const rule = this.workspace.excluded.get(path)?.rule ?? this.rules.decide(path, false)?.rule;
    if (rule !== undefined) return `${path} is left out: ${rule}`;
    const chunks = (await this.lanes?.chunksOf([path]))?.length ?? 0;
    if (chunks > 0) return `${path} is indexed: ${chunksOf(chunks)}`;
    const hash = (await this.store?.hashes())?.get(path);
    if (hash !== undefined) return `${path} is indexed, and has no text to find`;
    return `${path} is not indexed yet, or does not exist`;
  }

  /** Ends the work on it until it is reindexed. */
  async stop(reason: string): Promise<void> {
    this.isStopped = true;
    await this.workspace.halt(reason);
    await this.#replicaSync?.close();
    await this.store?.writer.release();
    this.lanes = undefined;
    this.store = undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([
      this.workspace.close(),
      this.past.history.close(),
      this.#watching.then((watching) => watching?.dispose()),
    ]);
    await this.#replicaSync?.close();
    await this.store?.writer.release();
  }

  async #startWatching(): Promise<Watching | undefined> {
    try {
      return await watch(
        this.root,
        this.rules,
        (change) => {
          if (change.kind === "paths") this.workspace.touch(change.paths);
          else if (change.kind === "all") this.workspace.refresh();
          else void this.#noteCommit();
        },
        this.#log,
      );
    } catch (error) {
      this.#log.warn("the folder is not watched", { root: this.root, error: messageOf(error) });
      return undefined;
    }
  }

  /** What was just committed is what is indexed already. */
  async #noteCommit(): Promise<void> {
    if (this.store?.writer.isHeld !== true) return;
    try {
      await this.store?.update(await readHead(this.root));
      this.past.history.refresh();
    } catch (error) {
      this.#log.warn("the new commit is not noted", { root: this.root, error: messageOf(error) });
    }
  }

  /** Resolves when it is known whether the database answers. */
  async named(): Promise<void> {
    await this.#firstOpening.promise;
  }

  /** Opens the stored index and fills the lanes from it. */
  async #open(): Promise<Opened> {
    const { root, embedder } = this;
    const opened = await this.#openStore().finally(this.#firstOpening.resolve);
    const { database, store, lanes, hashes, pending } = await this.#fillWhole(opened);
    const statFingerprints = await store.statFingerprints();
    [this.lanes, this.#hashes] = [lanes, hashes];
    await this.#replicaSync?.close();
    this.#replicaSync = this.#isClosed
      ? undefined
      : this.#follow({ store, lanes, hashes, pending });
    return {
      root,
      store,
      lanes,
      embedder,
      cache: database.embeddings,
      preparer: this.#parts.preparers.background,
      interactive: this.#parts.preparers.interactive,
      chunking: this.chunking,
      hashes,
      statFingerprints,
      discover: (excluded, signal) => discover(root, this.rules, { excluded, signal }),
      log: this.#log,
      writes: () => this.#writes(store),
      classifyChanges: (changed) =>
        classifyChanges(changed, { root, rules: this.rules, stored: hashes, log: this.#log }),
      passed: (changed) => this.#passed(store, database, lanes, changed),
      embeddingHeld: this.compatibility.kind === "usable" ? undefined : this.compatibility.reason,
    };
  }

  async #readStored(): Promise<number> {
    const store = await this.#findStore().finally(this.#firstOpening.resolve);
    if (store === undefined) return 0;
    const { lanes, hashes } = await this.#fill(store);
    [this.lanes, this.#hashes] = [lanes, hashes];
    return hashes.size;
  }

  /** What is left of a damaged index is given up: searching it would be half an answer. */
  async #fillWhole({ database, store }: { database: Store; store: IndexStore }) {
    const filled = await this.#fill(store);
    // While another engine writes, two counts need not agree, and what is damaged is its to replace.
    const isWhole = !store.writer.isHeld || (await store.checkIntegrity(filled.lanes.size));
    if (isWhole) {
      if (filled.lacksVectors && store.writer.isHeld) await store.rebuildVectorKey();
      return { database, ...filled };
    }
    const { root } = this;
    const current = this.#current;
    this.#log.error("an index has lost some of its chunks and is made anew", { root });
    this.#parts.notify(`the index of ${root} was damaged and is made anew`);
    await database.drop(store.name);
    const empty = await database.open({ name: store.name, root, ...current });
    return { database, ...(await this.#fill(empty)) };
  }

  async #fill(store: IndexStore) {
    this.store = store;
    this.name = store.name;
    // Before the lanes: what another engine writes meanwhile then shows as a difference, and is looked at again.
    const hashes = await store.hashes();
    const pending = store.isShared ? await pendingPaths(store) : new Set<string>();
    const dimension = () => this.embedder.dimension ?? 0;
    const loaded = await loadLanes(this.#parts, store, this.settings, dimension);
    return { store, hashes, pending, ...loaded };
  }

  /** The stored index as far as it can be searched by this program. */
  async #findStore(): Promise<IndexStore | undefined> {
    const database = await this.#parts.stores.get(this.settings["database.url"]);
    const store = await database.find(await database.nameFor(this.root, this.settings.indexName));
    if (store === undefined) return undefined;
    const stored = await store.record();
    this.compatibility = compatibility(stored, { ...this.#current, schemaVersion: SCHEMA_VERSION });
    return this.compatibility.kind === "rebuild" ? undefined : store;
  }

  /** The stored index as far as it can be used: rebuilt where nothing of it can, with other vectors where that costs nothing. */
  async #openStore(): Promise<{ database: Store; store: IndexStore }> {
    const { root, embedder } = this;
    const current = this.#current;
    const database = await this.#parts.stores.get(this.settings["database.url"]);
    const name = await database.nameFor(root, this.settings.indexName);
    const store = await database.open({ name, root, ...current });
    // Only who writes an index may replace it.
    const isWriter = await store.writer.tryHold();
    const stored = await store.record();
    this.compatibility = compatibility(stored, { ...current, schemaVersion: SCHEMA_VERSION });
    const { kind } = this.compatibility;
    if (
      !isWriter ||
      kind === "usable" ||
      (kind === "refresh" && !embedder.isLocal && !this.#isReembedding)
    ) {
      return { database, store };
    }
    this.#log.info("an older index is replaced", { name, reason: this.compatibility.reason });
    this.compatibility = { kind: "usable" };
    if (kind === "refresh") {
      await store.update({ modelId: current.modelId, dimension: current.dimension });
      return { database, store };
    }
    await database.drop(name);
    return { database, store: await database.open({ name, root, ...current }) };
  }

  /** A lock that was lost may be lost to another engine, or with the database, which then says so. */
  async #writes({ writer, record }: IndexStore): Promise<boolean> {
    if (!writer.isHeld) await record();
    return writer.isHeld;
  }

  /** Undefined where nobody else can have the database open. */
  #follow(
    opened: Pick<ReplicaSource, "store" | "lanes" | "hashes" | "pending">,
  ): ReplicaSync | undefined {
    if (!opened.store.isShared) return undefined;
    return new ReplicaSync({
      ...opened,
      log: this.#log,
      changed: () => this.workspace.touch([]),
      takeOver: () => this.workspace.refresh(),
    });
  }

  async #passed(
    store: IndexStore,
    database: Store,
    lanes: LiveLanes,
    changed: number,
  ): Promise<void> {
    const head = await readHead(this.root);
    await store.update({ ...head, state: "complete" });
    await lanes.refreshStatistics();
    this.past.history.refresh();
    if (changed >= VACUUM_AFTER_CHANGES) await database.vacuum();
  }
}

/** What tells whether an index that is stored can be used with these settings. */
export function indexFingerprint(settings: Settings, embedder: Embedder) {
  return {
    modelId: embedder.modelId,
    dimension: embedder.dimension ?? 0,
    chunkerVersion: chunkerVersion(settings),
  };
}

/** What stands in them is told nowhere. */
function redactedNote(secrets: number): string {
  return `${chunksOf(secrets)} with a secret left out`;
}

const chunksOf = (count: number) => (count === 1 ? "1 chunk" : `${count} chunks`);

/** Chunks of another size, strategy or grammar are chunks of another version. */
function chunkerVersion(settings: Settings): string {
  const { "indexing.chunkSize": size, "indexing.chunkOverlap": overlap } = settings;
  const { "indexing.chunkStrategy": strategy, "languages.grammars": grammars } = settings;
  const own =
    grammars.length === 0
      ? ""
      : `:${createHash("sha256").update(JSON.stringify(grammars)).digest("hex").slice(0, 8)}`;
  return `${CHUNKER_VERSION}:${strategy}:${size}:${overlap}${own}`;
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
