/** One workspace opened in the engine, shared by all sessions that opened it: owns its store, lanes, files and watcher. */

import { setTimeout as delay } from "node:timers/promises";
import { count } from "../../common/count.ts";
import { deferred } from "../../common/deferred.ts";
import { messageOf } from "../../common/errors.ts";
import { readHead } from "../../common/git-head.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { LiveLanes } from "../../contracts/lanes.ts";
import type { ExcludedFile } from "../../contracts/model.ts";
import type { IndexState } from "../../contracts/session.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { Compatibility, IndexStore, Store } from "../../contracts/store.ts";
import { createEmbedder } from "../../embedding/create.ts";
import type { IndexGraph } from "../../graph/live-graph.ts";
import type { IndexHistory } from "../../history/index-history.ts";
import { createIgnoreRules, type IgnoreRules } from "../../indexing/ignore/ignore-rules.ts";
import type { Chunking } from "../../indexing/indexer.ts";
import { type PassContext, runPass } from "../../indexing/pass.ts";
import type { PublishedRows } from "../../indexing/published-rows.ts";
import type { StoredFiles } from "../../indexing/stored-files.ts";
import { type Changes, Workspace } from "../../indexing/workspace.ts";
import { mismatchOf } from "../../store/compatibility.ts";
import { findPublished } from "./begin-published.ts";
import { chunkingOf } from "./chunking.ts";
import { type EmbedderHealth, watchEmbedder } from "./embedder-health.ts";
import type { IndexDeps } from "./index-deps.ts";
import { createIndexHistory } from "./index-history.ts";
import {
  findStore,
  type IndexContents,
  type IndexRequest,
  isStillStored,
  isUndamaged,
  openStore,
  readContents,
  replaceDamaged,
} from "./index-opener.ts";
import { maintain } from "./maintain.ts";
import { ReplicaSync } from "./replica-sync.ts";
import { StateSaver } from "./state-saver.ts";
import { deleteUnneededWorktrees } from "./unneeded-worktrees.ts";
import { WatchedFolder } from "./watched-folder.ts";

/** Text may be cut in a way that the checks do not know, such as within a character: of 9,600 files of six repositories, one. */
const MAX_REFUSED_SHARE = 0.01;

/** A watcher that cannot be asked for its events reports most of them by then: twice its debounce. */
const REPORTED_MS = 100;

interface OpenedIndex extends IndexContents {
  readonly database: Store;
}

export class OpenIndex {
  readonly root: string;
  readonly settings: Settings;
  readonly rules: IgnoreRules;
  /** The state machine of indexing: collects changes and holds the progress. The work itself is done here. */
  readonly workspace: Workspace;
  readonly history: IndexHistory;
  /** Files excluded by a rule, by path, as of the last full pass and the changes since. */
  readonly excluded = new Map<string, ExcludedFile>();

  readonly #deps: IndexDeps;
  readonly #model: EmbedderHealth;
  #store: IndexStore | undefined;
  #contents: IndexContents | undefined;
  #name: string | undefined;
  #compatibility: Compatibility = { kind: "usable" };
  /** The target of passes; undefined until it is opened, and after a failure. */
  #opened: OpenedIndex | undefined;
  #teamRemark: string | undefined;
  #isStopped = false;
  #isReembedding = false;
  #isClosed = false;
  #replicaSync: ReplicaSync | undefined;
  /** Undefined if indexing is off. */
  readonly #folder: WatchedFolder | undefined;
  readonly #saver: StateSaver;
  /** Whether memory and database agree. */
  #isSettled = false;
  readonly #firstOpening = deferred();
  /** Resolved at the end of the current opening, also after a failure. */
  #opening = deferred();
  #isOpening = true;
  #hasFailedToOpen = false;
  /** The current work; never rejects. */
  #working: Promise<void> = Promise.resolve();
  readonly #running: Promise<void>;

  constructor(
    root: string,
    settings: Settings,
    deps: IndexDeps,
    changed: (index: OpenIndex) => void,
  ) {
    this.root = root;
    this.settings = settings;
    this.#deps = deps;
    const embedder = createEmbedder(settings, deps);
    this.#model = watchEmbedder(embedder, () => changed(this));
    this.rules = createIgnoreRules(root, settings);
    const isEnabled = settings["indexing.enabled"];
    const { log } = deps;
    this.workspace = new Workspace({ root, isEnabled, log, changed: () => changed(this) });
    this.history = createIndexHistory(this, deps);
    const current = () => (this.isCommitted ? this.#opened : undefined);
    const { lanesFiles, edgesFiles } = deps;
    this.#saver = new StateSaver({ lanes: lanesFiles, graph: edgesFiles }, current);
    this.#folder = isEnabled ? this.#watchFolder() : undefined;
    this.#running = this.#run();
  }

  get embedder(): Embedder {
    return this.#model.embedder;
  }

  /** The state of the files; `degraded` if they are up to date but the embedding model fails. */
  get state(): IndexState {
    const { state } = this.workspace.status;
    return state === "ready" && this.#model.failure !== undefined ? "degraded" : state;
  }

  /** The reason of the state, for the user. */
  get reason(): string | undefined {
    const { state, reason } = this.workspace.status;
    return state === "ready" ? (this.#model.failure ?? reason) : reason;
  }

  /** Undefined until the database answers. */
  get store(): IndexStore | undefined {
    return this.#store;
  }

  /** Undefined until the stored index is loaded. */
  get lanes(): LiveLanes | undefined {
    return this.#contents?.lanes;
  }

  /** Undefined until the stored index is loaded. */
  get files(): StoredFiles | undefined {
    return this.#contents?.files;
  }

  /** Undefined until the stored index is loaded. */
  get graph(): IndexGraph | undefined {
    return this.#contents?.graph;
  }

  /** Undefined until the database answers. */
  get name(): string | undefined {
    return this.#name;
  }

  /** Why the index began without a published index, or without a part of one; for the user. */
  get teamRemark(): string | undefined {
    return this.#teamRemark;
  }

  /** Whether the stored vectors and chunks match the current settings. */
  get compatibility(): Compatibility {
    return this.#compatibility;
  }

  /** Whether the stored index was dropped and not rebuilt yet. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The settings of chunking. */
  get chunking(): Chunking {
    return chunkingOf(this.settings);
  }

  /** The sha256 of the indexed content of a file. */
  storedHash(path: string): string | undefined {
    return this.#contents?.files.hash(path);
  }

  /** The encoding of an indexed file; undefined for UTF-8 and for files with a byte order mark. */
  encodingOf(path: string): string | undefined {
    return this.#contents?.files.encoding(path);
  }

  /** Number of files by guessed encoding. */
  get guessedEncodings(): Readonly<Record<string, number>> {
    return this.#contents?.files.guessedEncodings ?? {};
  }

  /** Number of files that were chunked without their grammar because parsing timed out. */
  get unfinished(): number {
    return this.#contents?.files.unfinished ?? 0;
  }

  /** Whether memory and database agree, so that the lanes can be saved. */
  get isCommitted(): boolean {
    return this.#isSettled && this.#opened !== undefined;
  }

  /** Saves the snapshot of the lanes now, if it is outdated and they are committed. Never rejects. */
  async saveLanes(): Promise<void> {
    await this.#saver.saveLanes();
  }

  /** The stored files while the index is idle and this engine is its writer; undefined otherwise. */
  get idleFiles(): StoredFiles | undefined {
    const isIdle = this.workspace.status.state === "ready" && !this.workspace.hasWork;
    return isIdle && this.#store?.writer.isHeld ? this.#contents?.files : undefined;
  }

  /** Empty lanes for searches before the database answers. */
  emptyLanes(): LiveLanes {
    return this.#deps.createLanes();
  }

  /** Reindexes all files; `full` deletes the stored index first. A changed embedding model takes effect here. */
  reindex(full: boolean): void {
    this.#isReembedding = true;
    this.#isStopped = false;
    this.rules.refresh();
    this.workspace.restart(full);
  }

  /** Collects file changes that the watcher has not reported yet. False if the watcher cannot know them. */
  async catchUp(): Promise<boolean> {
    // The current pass, or the watcher after it, finds the changes.
    if (this.workspace.status.state === "indexing") return true;
    const isKnown = (await this.#folder?.catchUp()) === true;
    if (isKnown) this.history.reader.refresh();
    return isKnown;
  }

  /** Resolves when the changes of files until now are stored, or cannot be stored now. Rejects with the reason of `signal`. */
  async whenCurrent(signal: AbortSignal): Promise<void> {
    const isKnown = (await this.#folder?.catchUp()) === true;
    if (!isKnown && this.#folder !== undefined) await delay(REPORTED_MS, undefined, { signal });
    await this.workspace.whenStored();
  }

  /** Finds changes that the watcher missed. */
  lookAgain(): void {
    // During a pass, a second one would find nothing more.
    if (this.workspace.status.state === "indexing") return;
    this.rules.refresh();
    this.workspace.refresh();
  }

  /** Resolves once the database has answered or failed to. */
  async whenNamed(): Promise<void> {
    await this.#firstOpening.promise;
  }

  /** Whether the stored index is being loaded, so that it cannot be searched yet. */
  get isOpening(): boolean {
    return this.#isOpening;
  }

  /**
   * Resolves when the stored index can be searched or has failed to load. Resolves at once while a database that did not
   * answer is retried.
   */
  async whenReadable(): Promise<void> {
    if (this.#hasFailedToOpen && this.#store === undefined) return;
    await this.#opening.promise;
  }

  /** Stops indexing until the next reindex. Resolves when nothing writes to the stored index anymore. */
  async stop(reason: string): Promise<void> {
    this.#isStopped = true;
    this.workspace.halt(reason);
    await this.#working;
    this.#isSettled = false;
    await this.#saver.stop();
    await this.history.forget();
    await this.#releaseStore();
    this.#opened = undefined;
    this.#contents = undefined;
    this.#store = undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endOpening();
    this.#model.close();
    this.workspace.close();
    await Promise.all([this.#running, this.#folder?.close()]);
    await this.history.reader.close();
    await this.#saver.save();
    if (this.#name !== undefined) await this.#deps.lanesFiles.noteUse(this.#name);
    await this.#releaseStore();
  }

  async #releaseStore(): Promise<void> {
    await this.#replicaSync?.close();
    await this.#store?.writer.release();
  }

  async #run(): Promise<void> {
    for (;;) {
      const next = await this.workspace.next();
      if (next === undefined) return;
      this.#working = this.#work(next.changes, next.signal);
      await this.#working;
    }
  }

  async #work(changes: Changes, signal: AbortSignal): Promise<void> {
    this.#isSettled = false;
    if (this.#contents === undefined) this.#beginOpening();
    try {
      if (this.settings["indexing.enabled"]) await this.#bringUpToDate(changes, signal);
      else if (changes.isFull) await this.#showStored();
    } catch (error) {
      // The result of a failed commit is unknown, so the index is loaded again.
      this.#opened = undefined;
      this.#hasFailedToOpen = true;
      this.workspace.report({ kind: "failed", error });
    } finally {
      this.#endOpening();
    }
  }

  #beginOpening(): void {
    if (this.#isOpening || this.#isClosed) return;
    this.#opening = deferred();
    this.#isOpening = true;
  }

  #endOpening(): void {
    this.#isOpening = false;
    this.#opening.resolve();
  }

  async #bringUpToDate(changes: Changes, signal: AbortSignal): Promise<void> {
    const { workspace } = this;
    if (changes.isReopening) this.#opened = undefined;
    const known = this.#opened;
    if (known === undefined) workspace.report({ kind: "begun" });
    // Renewed before the pass: the pass finds changes that happen meanwhile.
    if (changes.isReopening) await this.#folder?.renew();
    // The loaded index is searched until it is opened again; one that is not loaded yet is loaded before it is emptied.
    const isForgotten = changes.isForgetting && this.#contents !== undefined;
    if (isForgotten) await workspace.whilePaused(signal);
    const opened = known ?? (await this.#open(isForgotten));
    this.#opened = opened;
    if (!(await isWriter(opened.store))) {
      workspace.report({ kind: "read-only", files: opened.files.size, isOff: false });
      return;
    }
    // Not before the index can be searched.
    if (known === undefined) {
      await this.#deps.lanesFiles.noteUse(opened.store.name);
      await deleteUnneededWorktrees(this.root, opened.database, this.#deps);
    }
    // Watched first: later changes are reported, and the pass reuses the folder listings of the watcher.
    if (known === undefined) await this.#folder?.whenWatched();
    // Another program may have changed the stored index since it was last open.
    const isFull = changes.isFull || known === undefined;
    const isForgetting = changes.isForgetting && !isForgotten;
    const published =
      isFull && !changes.isForgetting ? await this.#beginning(opened, signal) : undefined;
    const context = this.#passContext(opened, published);
    const pass = { ...changes, isFull, isForgetting };
    const { result, changed } = await runPass(context, pass, signal);
    await this.#noteBeginning(opened, published);
    workspace.report(result);
    // Edges that are not stored yet change no snapshot.
    this.#isSettled = true;
    await maintain({ ...opened, ...this.#deps, workspace }, changed, signal);
    this.#saver.saveSoon();
    if (isFull) this.history.reader.refresh();
  }

  /** The rows that the first pass of a new index takes over from the team's database. */
  async #beginning(
    { store }: OpenedIndex,
    signal: AbortSignal,
  ): Promise<PublishedRows | undefined> {
    const isNew = !this.#isReembedding && (await store.record()).state === "partial";
    const found = isNew
      ? await findPublished(this, this.#deps.teams, this.#deps.log, signal)
      : undefined;
    if (found === undefined || "rows" in found) return found?.rows;
    this.#remark(found.remark);
    return undefined;
  }

  async #noteBeginning(
    { store, files }: OpenedIndex,
    rows: PublishedRows | undefined,
  ): Promise<void> {
    if (rows === undefined) return;
    const { origin, taken, refused, failure } = rows;
    const counts = { files: taken, total: files.size };
    this.#deps.log.info("an index began with a published index", {
      root: this.root,
      ...origin,
      ...counts,
      refused,
    });
    if (failure !== undefined)
      this.#remark(`the team's database was not used any more: ${failure}`);
    else if (refused > taken * MAX_REFUSED_SHARE)
      this.#remark(`the rows of ${count(refused, "published file")} were refused, see the log`);
    if (taken > 0) await store.setBegunWith({ ...origin, ...counts });
  }

  #remark(remark: string): void {
    this.#teamRemark = remark;
    this.#deps.log.warn("a published index was not used", { root: this.root, remark });
  }

  #passContext(opened: OpenedIndex, published: PublishedRows | undefined): PassContext {
    const { root, rules, embedder, chunking, excluded, workspace } = this;
    return {
      ...this.#deps,
      ...opened,
      root,
      rules,
      chunking,
      embedder,
      embeddingHeld: mismatchOf(this.#compatibility),
      cache: opened.database.embeddings,
      exclusionRules: this.#exclusionRules,
      excluded,
      listings: this.#folder?.listings,
      published,
      workspace,
    };
  }

  /** Opens the stored index for writing and loads the lanes. With `isForgotten`, empties it without loading it. */
  async #open(isForgotten: boolean): Promise<OpenedIndex> {
    const request = { ...this.#request, isForgotten };
    const opened = await openStore(request, this.#isReembedding).finally(
      this.#firstOpening.resolve,
    );
    if (isForgotten && opened.store.writer.isHeld) await opened.store.truncate();
    this.#compatibility = opened.compatibility;
    this.#name = opened.store.name;
    this.#store = opened.store;
    let contents = await readContents(request, opened.store, opened.seed);
    if (!(await isUndamaged(contents))) {
      this.#store = await replaceDamaged(request, opened);
      contents = await readContents(request, this.#store);
    } else if (contents.lacksVectors && contents.store.writer.isHeld) {
      await contents.store.rebuildVectorKey();
    }
    this.#contents = contents;
    this.#noteReadable(contents.files.size);
    if (!(await isStillStored(contents))) {
      await this.#deps.lanesFiles.remove(contents.store.name);
      return await this.#open(isForgotten);
    }
    await this.#saver.noteRead(contents.store, {
      lanes: contents.wereReady ? contents.lanes : undefined,
      graph: contents.hadEdges ? contents.graph : undefined,
    });
    contents.graph.onResolved(() => this.#saver.saveSoon());
    await this.#replicaSync?.close();
    this.#replicaSync = this.#isClosed ? undefined : this.#createReplicaSync(contents);
    return { database: opened.database, ...contents };
  }

  #noteReadable(files: number): void {
    this.#endOpening();
    this.workspace.report({ kind: "opened", files });
  }

  /** Opens the stored index read-only. */
  async #showStored(): Promise<void> {
    const request = this.#request;
    const { store, compatibility } = await findStore(request).finally(this.#firstOpening.resolve);
    this.#compatibility = compatibility;
    let files = 0;
    if (store !== undefined) {
      this.#name = store.name;
      this.#store = store;
      this.#contents = await readContents(request, store);
      files = this.#contents.files.size;
    }
    this.#noteReadable(files);
    this.workspace.report({ kind: "read-only", files, isOff: true });
  }

  /** A fingerprint of everything besides a file's content that decides its exclusion: the build and these settings. */
  get #exclusionRules(): string {
    const { maxFileBytes, grammars } = this.chunking;
    return JSON.stringify([this.#deps.build, maxFileBytes, grammars]);
  }

  get #request(): IndexRequest {
    const { root, settings, embedder, rules } = this;
    return {
      root,
      settings,
      embedder,
      rules,
      exclusionRules: this.#exclusionRules,
      deps: this.#deps,
    };
  }

  /** Undefined for a database that other engines cannot open. */
  #createReplicaSync(contents: IndexContents): ReplicaSync | undefined {
    if (!contents.store.isShared) return undefined;
    return new ReplicaSync({
      ...contents,
      log: this.#deps.log,
      changed: () => this.workspace.touch([]),
      takeOver: () => this.workspace.refresh(),
    });
  }

  #watchFolder(): WatchedFolder {
    const { root, rules, workspace, excluded } = this;
    return new WatchedFolder({
      root,
      rules,
      workspace,
      excluded,
      log: this.#deps.log,
      idleFiles: () => this.idleFiles,
      committed: () => void this.#noteCommit(),
      settingsTouched: () => this.#deps.settingsTouched(root),
    });
  }

  /** Records the new HEAD; the files are indexed already. */
  async #noteCommit(): Promise<void> {
    const store = this.#store;
    if (store?.writer.isHeld !== true) return;
    try {
      await store.update(await readHead(this.root));
      this.#saver.saveSoon();
      this.history.reader.refresh();
    } catch (error) {
      const { log } = this.#deps;
      log.warn("HEAD was not recorded", { root: this.root, error: messageOf(error) });
    }
  }
}

/** False if another engine holds the lock. Rejects if the lock was lost with the database. */
async function isWriter(store: IndexStore): Promise<boolean> {
  if (!store.writer.isHeld) await store.record();
  return store.writer.isHeld;
}
