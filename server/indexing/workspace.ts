/** One workspace in use: what has changed, the passes that bring its index up to date, and how far they are. */

import { setTimeout as delay } from "node:timers/promises";
import { messageOf, stackOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { advance, type Pace } from "../common/time-left.ts";
import type { ExcludedFile } from "../contracts/model.ts";
import type { Preparer } from "../contracts/preparer.ts";
import type { IndexState } from "../contracts/session.ts";
import { embedPending } from "./embed-pending.ts";
import { type IndexingContext, indexAll, indexSome } from "./indexer.ts";

/** After a failure the next attempt waits this long, doubling up to the second figure. */
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
/** A provider that was down is asked again after this; people start it and expect to see it. */
const EMBEDDING_RETRY_MS = 5_000;
/** A burst of more changes is shown as indexing and gives way as a pass does; fewer are done before anyone could read it. */
const BURST_FILES = 50;

const FOLLOWED = "another engine keeps the index up to date";

/** What a workspace is indexed with; opened again after the database was lost. */
export interface Opened extends Omit<IndexingContext, keyof Workings> {
  /** For a few files that were just saved: somebody waits for them. */
  readonly interactive: Preparer;
  /** False while another engine writes the index: then what it writes is searched here. Rejects while nobody can. */
  writes(): Promise<boolean>;
  /** Splits changed paths into files to index and stored paths whose files are gone. */
  classifyChanges(changed: ReadonlySet<string>): Promise<{ present: string[]; gone: string[] }>;
  /** Called after a whole pass: records what was indexed, and tidies. */
  passed(changed: number): Promise<void>;
}

/** What the workspace itself adds to the context of a pass. */
type Workings = Pick<IndexingContext, "gate" | "progress" | "excluded">;

export interface WorkspaceOptions {
  readonly root: string;
  /** When false, what is stored is searched and nothing is indexed. */
  readonly isEnabled: boolean;
  readonly log: Log;
  open(): Promise<Opened>;
  /** Opens only what is stored, to be searched, and writes nothing; resolves to its number of files. */
  readStored(): Promise<number>;
  /** Waits while somebody searches or types. */
  yieldToForeground(signal: AbortSignal): Promise<void>;
  /** Called whenever state, counts or the lanes' content changed. */
  changed(workspace: Workspace): void;
}

/** Paths that changed, or everything. */
type Changes = { all: boolean; forget: boolean; reopen: boolean; readonly paths: Set<string> };

const everything = (): Changes => ({ all: true, forget: false, reopen: false, paths: new Set() });
const nothing = (): Changes => ({ ...everything(), all: false });

export class Workspace {
  state: IndexState = "indexing";
  reason: string | undefined;
  indexed = 0;
  total = 0;
  #pace: Pace | undefined;
  /** How many files each rule left out in the last whole pass; the rule's first word names it. */
  readonly excluded = new Map<string, ExcludedFile>();
  readonly root: string;

  readonly #options: WorkspaceOptions;
  readonly #controller = new AbortController();
  /** Ends the work under way without ending the workspace. */
  #current = new AbortController();
  #halted: string | undefined;
  #queue = everything();
  #opened: Opened | undefined;
  #paused = false;
  #idle = false;
  #sleepers: (() => void)[] = [];
  #waiters: { resolve(): void; reject(error: unknown): void }[] = [];
  readonly #running: Promise<void>;

  constructor(options: WorkspaceOptions) {
    this.#options = options;
    this.root = options.root;
    this.#running = this.#run();
  }

  /** Of the pass under way, once it is known well enough. */
  get leftMs(): number | undefined {
    return this.state === "indexing" ? this.#pace?.leftMs : undefined;
  }

  /** Relative paths that may have changed. */
  touch(paths: Iterable<string>): void {
    for (const path of paths) this.#queue.paths.add(path);
    this.#wake();
  }

  /** Anything may have changed. */
  refresh(): void {
    this.#queue.all = true;
    this.#wake();
  }

  /** Opens everything again and looks at all files; with `forget`, what is stored is dropped first. */
  restart(forget: boolean): void {
    this.#halted = undefined;
    this.#queue.reopen = true;
    this.#queue.forget ||= forget;
    this.refresh();
  }

  /** Nothing is done until it is restarted; resolves when nothing is under way. What is stored may then be dropped. */
  async halt(reason: string): Promise<void> {
    this.#halted = reason;
    this.#opened = undefined;
    this.#queue = nothing();
    this.#current.abort();
    await this.whenIdle();
    this.#count(0, 0);
    this.#become("paused", reason);
  }

  pause(): void {
    this.#paused = true;
    if (this.state === "indexing" || this.state === "ready") this.#become("paused");
    // Nothing more is done until it is resumed, so that waiting for it would not end.
    this.#release();
  }

  resume(): void {
    this.#paused = false;
    if (this.state === "paused" && this.#options.isEnabled) this.#become("indexing");
    this.#wake();
  }

  /** Resolves when nothing is left to do; rejects with Unavailable when it cannot be done now. */
  whenIdle(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#waiters.push({ resolve, reject });
      if (this.#isSettled()) this.#release();
    });
  }

  async close(): Promise<void> {
    this.#controller.abort();
    this.#wake();
    await this.#running;
    this.#release(new Unavailable("the workspace was closed", "open it again"));
  }

  #isSettled(): boolean {
    return this.#paused || (this.#idle && !this.#hasWork());
  }

  #hasWork(): boolean {
    return this.#queue.all || this.#queue.paths.size > 0;
  }

  async #run(): Promise<void> {
    const closing = this.#controller.signal;
    let retryMs = FIRST_RETRY_MS;
    while (!closing.aborted) {
      const work = this.#take();
      this.#current = new AbortController();
      try {
        this.#idle = false;
        await this.#work(work, AbortSignal.any([closing, this.#current.signal]));
        retryMs = FIRST_RETRY_MS;
      } catch (error) {
        if (closing.aborted) return;
        if (this.#halted === undefined) {
          this.#failed(error, work);
          await this.#nextWork(retryMs);
          retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
          continue;
        }
      }
      if (this.#hasWork()) continue;
      this.#idle = true;
      this.#release();
      await this.#nextWork();
    }
  }

  #take(): Changes {
    const work = this.#queue;
    this.#queue = nothing();
    return work;
  }

  async #work(work: Changes, signal: AbortSignal): Promise<void> {
    if (this.#halted !== undefined) return;
    if (!this.#options.isEnabled) {
      if (work.all) await this.#showStored();
      return;
    }
    if (work.reopen) this.#opened = undefined;
    if (this.#opened === undefined) {
      this.#become(this.#paused ? "paused" : "indexing");
      this.#opened = await this.#options.open();
      // What was stored may not be what it was when it was opened before.
      work.all = true;
    }
    if (!(await this.#opened.writes())) {
      this.#count(this.#opened.hashes.size, this.#opened.hashes.size);
      this.#become("ready", FOLLOWED);
      return;
    }
    // What is stored can be searched by now; nothing more is done while it is paused.
    await this.#gate(signal);
    const context = { ...this.#opened, ...this.#workings(this.#opened.hashes) };
    if (work.forget) {
      await context.store.truncate();
      await context.lanes.replace([...context.hashes.keys()], []);
      context.hashes.clear();
    }
    // Who asks for everything again does not trust what was recognized.
    if (work.reopen) context.statFingerprints.clear();
    if (work.all) {
      this.excluded.clear();
      this.#become(this.#paused ? "paused" : "indexing");
      const report = await indexAll(context, signal);
      await context.passed(report.changed + report.removed);
    } else if (work.paths.size > 0) {
      const { present, gone } = await context.classifyChanges(work.paths);
      for (const path of [...present, ...gone]) this.excluded.delete(path);
      const isBurst = present.length > BURST_FILES;
      if (isBurst) this.#become(this.#paused ? "paused" : "indexing");
      const few = { ...context, preparer: context.interactive, gate: this.#gate.bind(this) };
      if (present.length + gone.length > 0) {
        await indexSome(isBurst ? context : few, present, gone, signal);
      }
    }
    this.#count(context.hashes.size, context.hashes.size);
    await this.#embed(context, signal);
  }

  async #showStored(): Promise<void> {
    const files = await this.#options.readStored();
    this.#count(files, files);
    this.#become("paused", "indexing is off: indexing.enabled is false");
  }

  async #embed(context: Opened & Workings, signal: AbortSignal): Promise<void> {
    if (context.embeddingHeld !== undefined) {
      this.#become("degraded", context.embeddingHeld);
      return;
    }
    try {
      await embedPending({ ...context, isUrgent: () => this.#hasWork() }, signal);
      this.#become(this.#paused ? "paused" : "ready");
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Unavailable)) throw error;
      this.#options.log.warn("embedding is pending", { error: error.message });
      this.#become("degraded", error.message);
      this.#retryEmbedding();
    }
  }

  /** The provider is asked again later; files that change meanwhile are indexed by their words at once. */
  #retryEmbedding(): void {
    const timer = setTimeout(() => this.#wake(), EMBEDDING_RETRY_MS);
    timer.unref();
  }

  #count(indexed: number, total: number): void {
    this.indexed = indexed;
    this.total = total;
    this.#options.changed(this);
  }

  #workings(hashes: ReadonlyMap<string, string>): Workings {
    return {
      gate: async (signal) => {
        await this.#gate(signal);
        await this.#options.yieldToForeground(signal);
      },
      // In a pass over some files the others count as indexed.
      progress: (done, total) => {
        const others = Math.max(0, hashes.size - total);
        this.#pace = advance(this.#pace, done, total, performance.now());
        this.#count(others + done, others + total);
      },
      excluded: (file) => {
        this.excluded.set(file.path, file);
      },
    };
  }

  async #gate(signal: AbortSignal): Promise<void> {
    while (this.#paused) {
      signal.throwIfAborted();
      await this.#nextWork();
    }
  }

  #failed(error: unknown, work: Changes): void {
    this.#queue.all ||= work.all;
    this.#queue.forget ||= work.forget;
    this.#queue.reopen ||= work.reopen;
    for (const path of work.paths) this.#queue.paths.add(path);
    // What a failed commit left behind is unknown here, and is read again.
    this.#opened = undefined;
    if (error instanceof Unavailable) {
      this.#options.log.warn("indexing waits", { root: this.root, error: error.message });
      this.#become("unavailable", error.message);
      this.#release(error);
    } else {
      this.#options.log.error("bug in indexing", { root: this.root, error: stackOf(error) });
      this.#become("degraded", `indexing failed and is tried again: ${messageOf(error)}`);
      this.#release(new Unavailable("indexing failed", "see the log", { cause: error }));
    }
  }

  #become(state: IndexState, reason?: string): void {
    if (this.state === state && this.reason === reason) return;
    this.state = state;
    this.reason = reason;
    this.#options.changed(this);
  }

  #release(error?: unknown): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { resolve, reject } of waiters) {
      if (error === undefined) resolve();
      else reject(error);
    }
  }

  /** Resolves when something was queued, resumed or closed, or after the given time. */
  async #nextWork(afterMs?: number): Promise<void> {
    if (this.#controller.signal.aborted) return;
    const woken = new Promise<void>((resolve) => {
      this.#sleepers.push(resolve);
    });
    if (afterMs === undefined) await woken;
    else await Promise.race([woken, delay(afterMs, undefined, { ref: false })]);
  }

  #wake(): void {
    const sleepers = this.#sleepers;
    this.#sleepers = [];
    for (const wakeUp of sleepers) wakeUp();
  }
}
