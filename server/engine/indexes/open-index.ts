/** One workspace opened in the engine, shared by all sessions that opened it: owns its store, lanes, files and watcher. */

import { deferred } from "../../common/deferred.ts";
import { messageOf } from "../../common/errors.ts";
import type { YieldToForeground } from "../../common/slices.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { LiveLanes } from "../../contracts/lanes.ts";
import type { IndexState } from "../../contracts/session.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { Compatibility, IndexStore, Store } from "../../contracts/store.ts";
import { createEmbedder } from "../../embedding/create.ts";
import type { IndexGraph } from "../../graph/live-graph.ts";
import { createIgnoreRules, type IgnoreRules } from "../../indexing/ignore/ignore-rules.ts";
import type { Chunking } from "../../indexing/indexer.ts";
import { type PassContext, runPass } from "../../indexing/pass.ts";
import type { StoredFiles } from "../../indexing/stored-files.ts";
import { readHead } from "../../indexing/watching/git-head.ts";
import { type Changes, Workspace } from "../../indexing/workspace.ts";
import { mismatchOf } from "../../store/compatibility.ts";
import type { IndexDeps } from "./index-deps.ts";
import { createIndexHistory, type IndexHistory } from "./index-history.ts";
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
import { type QuestionModel, watchQuestions } from "./question-model.ts";
import { ReplicaSync } from "./replica-sync.ts";
import { StateSaver } from "./state-saver.ts";
import { WatchedFolder } from "./watched-folder.ts";

interface OpenedIndex extends IndexContents {
  readonly database: Store;
}

export class OpenIndex {
  readonly root: string;
  readonly settings: Settings;
  readonly rules: IgnoreRules;
  /** How far it is indexed: a state machine that is told of changes; the work itself is done here. */
  readonly workspace: Workspace;
  readonly past: IndexHistory;

  readonly #deps: IndexDeps;
  readonly #model: QuestionModel;
  #store: IndexStore | undefined;
  #contents: IndexContents | undefined;
  #name: string | undefined;
  #compatibility: Compatibility = { kind: "usable" };
  /** What passes write to; undefined when it has to be opened first, also after a failure. */
  #opened: OpenedIndex | undefined;
  #isStopped = false;
  #isReembedding = false;
  #isClosed = false;
  #replicaSync: ReplicaSync | undefined;
  /** Undefined where nothing is indexed. */
  readonly #folder: WatchedFolder | undefined;
  readonly #saver: StateSaver;
  /** Whether what is in memory is what is committed. */
  #isSettled = false;
  readonly #firstOpening = deferred();
  /** Resolved when the opening under way has ended, also in a failure. */
  #opening = deferred();
  #isOpening = true;
  #hasFailedToOpen = false;
  /** The piece of work under way; never rejects. */
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
    const embedder = createEmbedder(settings, deps.model, deps.log);
    this.#model = watchQuestions(embedder, () => changed(this));
    this.rules = createIgnoreRules(root, settings);
    const isEnabled = settings["indexing.enabled"];
    const { log } = deps;
    this.workspace = new Workspace({ root, isEnabled, log, changed: () => changed(this) });
    this.past = createIndexHistory(this, deps);
    const current = () => (this.#isSettled ? this.#opened : undefined);
    const { lanesFiles, edgesFiles } = deps;
    this.#saver = new StateSaver({ lanesFiles, edgesFiles, current });
    this.#folder = isEnabled ? this.#watchFolder() : undefined;
    this.#running = this.#run();
  }

  get embedder(): Embedder {
    return this.#model.embedder;
  }

  /** That of its files; where those are up to date, that of its model. */
  get state(): IndexState {
    const { state } = this.workspace;
    return state === "ready" && this.#model.failure !== undefined ? "degraded" : state;
  }

  /** Why it is in this state, in words for the user. */
  get reason(): string | undefined {
    const { state, reason } = this.workspace;
    return state === "ready" ? (this.#model.failure ?? reason) : reason;
  }

  /** Undefined until the database has answered. */
  get store(): IndexStore | undefined {
    return this.#store;
  }

  /** Undefined until what is stored has been read. */
  get lanes(): LiveLanes | undefined {
    return this.#contents?.lanes;
  }

  /** Undefined until what is stored has been read. */
  get graph(): IndexGraph | undefined {
    return this.#contents?.graph;
  }

  /** Undefined until the database has answered. */
  get name(): string | undefined {
    return this.#name;
  }

  /** Whether its vectors and chunks are those that today's settings would make. */
  get compatibility(): Compatibility {
    return this.#compatibility;
  }

  /** Whether what was stored of it was dropped; until it is indexed again. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** How files are cut. */
  get chunking(): Chunking {
    const { settings } = this;
    return {
      chunkSize: settings["indexing.chunkSize"],
      chunkOverlap: settings["indexing.chunkOverlap"],
      chunkStrategy: settings["indexing.chunkStrategy"],
      grammars: settings["languages.grammars"],
      maxFileBytes: settings["indexing.maxFileBytes"],
    };
  }

  /** The sha256 of what is in the index of a file. */
  storedHash(path: string): string | undefined {
    return this.#contents?.files.hash(path);
  }

  /** How a file was read; undefined where its bytes tell. */
  encodingOf(path: string): string | undefined {
    return this.#contents?.files.encoding(path);
  }

  /** By encoding, how many files are read in it by a guess. */
  get guessedEncodings(): Readonly<Record<string, number>> {
    return this.#contents?.files.guessedEncodings ?? {};
  }

  /** Files that are searched as they were cut without their grammar, because parsing took too long. */
  get unfinished(): number {
    return this.#contents?.files.unfinished ?? 0;
  }

  /** What is stored, while nothing is left to do and no other engine writes it; undefined at other times. */
  get idleFiles(): StoredFiles | undefined {
    const isIdle = this.workspace.state === "ready" && !this.workspace.hasWork;
    return isIdle && this.#store?.writer.isHeld ? this.#contents?.files : undefined;
  }

  /** For searches before the database has answered. */
  emptyLanes(): LiveLanes {
    return this.#deps.createLanes();
  }

  /** Indexes again from the start; `full` forgets what is stored. A changed model takes effect here. */
  reindex(full: boolean): void {
    this.#isReembedding = true;
    this.#isStopped = false;
    this.rules.refresh();
    this.workspace.restart(full);
  }

  /** Takes what has changed on disk by now, which the watcher tells a moment late. False where that cannot be known. */
  async catchUp(): Promise<boolean> {
    // The pass under way, or the watcher after it, finds it.
    if (this.workspace.state === "indexing") return true;
    const isKnown = (await this.#folder?.catchUp()) === true;
    if (isKnown) this.past.history.refresh();
    return isKnown;
  }

  /** Finds what has changed without an event that told of it. */
  lookAgain(): void {
    // Where it was just opened, or everything is indexed anyway, a second pass would find nothing more.
    if (this.workspace.state === "indexing") return;
    this.rules.refresh();
    this.workspace.refresh();
  }

  /** Resolves when it is known whether the database answers. */
  async whenNamed(): Promise<void> {
    await this.#firstOpening.promise;
  }

  /** Whether what is stored is being read, so that nothing of it can be found yet. */
  get isOpening(): boolean {
    return this.#isOpening;
  }

  /**
   * Resolves when what is stored can be searched, or when it is known that it cannot: at once where a database that did
   * not answer is tried again.
   */
  async whenReadable(): Promise<void> {
    if (this.#hasFailedToOpen && this.#store === undefined) return;
    await this.#opening.promise;
  }

  /** Ends the work on it until it is reindexed; resolves when nothing writes to what is stored any more. */
  async stop(reason: string): Promise<void> {
    this.#isStopped = true;
    this.workspace.halt(reason);
    await this.#working;
    this.#isSettled = false;
    await this.#saver.stop();
    await this.past.forget();
    await this.#letGo();
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
    await this.past.history.close();
    await this.#saver.save();
    await this.#letGo();
  }

  async #letGo(): Promise<void> {
    await this.#replicaSync?.close();
    await this.#store?.writer.release();
  }

  async #run(): Promise<void> {
    for (;;) {
      const changes = await this.workspace.next();
      if (changes === undefined) return;
      this.#working = this.#work(changes, this.workspace.signal);
      await this.#working;
    }
  }

  async #work(changes: Changes, signal: AbortSignal): Promise<void> {
    this.#isSettled = false;
    if (this.#contents === undefined) this.#beginOpening();
    try {
      if (this.settings["indexing.enabled"]) await this.#bringUpToDate(changes, signal);
      else if (changes.isFull) await this.#showStored();
      this.workspace.succeeded();
    } catch (error) {
      // What a failed commit left behind is unknown here, and is read again.
      this.#opened = undefined;
      this.#hasFailedToOpen = true;
      this.workspace.failed(error, changes);
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
    if (known === undefined) workspace.begin();
    // Before the files are looked at: what changes while the watches are renewed is found by the pass.
    if (changes.isReopening) await this.#folder?.renew();
    // What is there is searched until it is opened again; where nothing is yet, it is read before it is forgotten.
    const isForgotten = changes.isForgetting && this.#contents !== undefined;
    if (isForgotten) await workspace.whilePaused(signal);
    const opened = known ?? (await this.#open(isForgotten));
    this.#opened = opened;
    if (!(await isWriter(opened.store))) {
      workspace.follow(opened.files.size);
      return;
    }
    // What changes after a folder was looked at must be told; and what the watcher has listed, the pass need not list.
    if (known === undefined) await this.#folder?.whenWatched();
    // What was stored may not be what it was when it was opened before.
    const isFull = changes.isFull || known === undefined;
    const isForgetting = changes.isForgetting && !isForgotten;
    await runPass(this.#passContext(opened), { ...changes, isFull, isForgetting }, signal);
    this.#isSettled = true;
    this.#saver.saveSoon();
    if (isFull) this.past.history.refresh();
  }

  #passContext({ database, store, lanes, graph, files }: OpenedIndex): PassContext {
    const { root, rules, embedder, chunking, workspace } = this;
    const { preparers, throttle, log } = this.#deps;
    const embeddingHeld = mismatchOf(this.#compatibility);
    const cache = database.embeddings;
    const isUrgent = () => workspace.hasWork || this.#isClosed;
    return {
      target: {
        root,
        rules,
        chunking,
        embedder,
        embeddingHeld,
        cache,
        exclusionRules: this.#exclusionRules,
        store,
        lanes,
        graph,
        files,
        ...(this.#folder && { listings: this.#folder.listings }),
        log,
      },
      workspace,
      background: preparers.background,
      interactive: preparers.interactive,
      yieldToForeground: (signal) => throttle.yieldToForeground(signal),
      isAsking: () => throttle.isAsking,
      yieldToSearches: () => throttle.yieldToSearches(),
      vacuum: async () => {
        await preparers.restBackground();
        await throttle.whenQuiet(isUrgent);
        if (!this.#isClosed) await database.vacuum();
      },
      storeEdges: () => storeEdges({ graph, store }, () => throttle.rest(isUrgent)),
    };
  }

  /** Opens the stored index to write it, and fills the lanes from it; what is forgotten is not read first. */
  async #open(isForgotten: boolean): Promise<OpenedIndex> {
    const request = { ...this.#request, isForgotten };
    const opened = await openStore(request, this.#isReembedding).finally(
      this.#firstOpening.resolve,
    );
    if (isForgotten && opened.store.writer.isHeld) await opened.store.truncate();
    this.#compatibility = opened.compatibility;
    this.#name = opened.store.name;
    this.#store = opened.store;
    let contents = await readContents(request, opened.store);
    if (!(await isUndamaged(contents))) {
      this.#store = await replaceDamaged(request, opened);
      contents = await readContents(request, this.#store);
    } else if (contents.lacksVectors && contents.store.writer.isHeld) {
      await contents.store.rebuildVectorKey();
    }
    this.#contents = contents;
    this.#noteReadable();
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
    this.#replicaSync = this.#isClosed ? undefined : this.#follow(contents);
    return { database: opened.database, ...contents };
  }

  #noteReadable(): void {
    this.#endOpening();
    this.workspace.opened();
  }

  /** Opens what is stored to search it, and writes nothing. */
  async #showStored(): Promise<void> {
    const request = this.#request;
    const { store, compatibility } = await findStore(request).finally(this.#firstOpening.resolve);
    this.#compatibility = compatibility;
    if (store === undefined) {
      this.#noteReadable();
      this.workspace.showStored(0);
      return;
    }
    this.#name = store.name;
    this.#store = store;
    this.#contents = await readContents(request, store);
    this.#noteReadable();
    this.workspace.showStored(this.#contents.files.size);
  }

  /** Of another build, or with other settings, what is in a file may be judged otherwise. */
  get #exclusionRules(): string {
    const { maxFileBytes, grammars } = this.chunking;
    return JSON.stringify([this.#deps.build, maxFileBytes, grammars]);
  }

  get #request(): IndexRequest {
    const { root, settings, embedder } = this;
    return { root, settings, embedder, exclusionRules: this.#exclusionRules, deps: this.#deps };
  }

  /** Undefined where no other engine can have the database open. */
  #follow(contents: IndexContents): ReplicaSync | undefined {
    if (!contents.store.isShared) return undefined;
    return new ReplicaSync({
      ...contents,
      log: this.#deps.log,
      changed: () => this.workspace.touch([]),
      takeOver: () => this.workspace.refresh(),
    });
  }

  #watchFolder(): WatchedFolder {
    const { root, rules, workspace } = this;
    return new WatchedFolder({
      root,
      rules,
      workspace,
      log: this.#deps.log,
      idleFiles: () => this.idleFiles,
      committed: () => void this.#noteCommit(),
      settingsTouched: () => this.#deps.settingsTouched(root),
    });
  }

  /** What was just committed is what is indexed already. */
  async #noteCommit(): Promise<void> {
    const store = this.#store;
    if (store?.writer.isHeld !== true) return;
    try {
      await store.update(await readHead(this.root));
      this.#saver.saveSoon();
      this.past.history.refresh();
    } catch (error) {
      const { log } = this.#deps;
      log.warn("the new commit is not recorded", { root: this.root, error: messageOf(error) });
    }
  }
}

/** Edges follow what was committed; a failure is tried again with the next pass. */
async function storeEdges(
  { graph, store }: Pick<OpenedIndex, "graph" | "store">,
  yieldToForeground: YieldToForeground,
): Promise<void> {
  try {
    const changed = await graph.takeChangedEdges(yieldToForeground);
    if (changed.length > 0) await store.setDependencies(changed);
  } catch (error) {
    graph.markUnstored();
    throw error;
  }
}

/** A lock may be lost to another engine, or together with the database, which then says so. */
async function isWriter(store: IndexStore): Promise<boolean> {
  if (!store.writer.isHeld) await store.record();
  return store.writer.isHeld;
}
