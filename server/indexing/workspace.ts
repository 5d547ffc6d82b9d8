/**
 * The indexing state of one workspace: a state machine that queues changes and does no work itself.
 *
 * Its owner takes changes from `next`, reports progress, and ends each pass with `succeeded` or `failed`.
 */

import { setTimeout as delay } from "node:timers/promises";
import { messageOf, stackOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { advance, type Pace } from "../common/remaining-time.ts";
import type { ExcludedFile } from "../contracts/model.ts";
import type { IndexState } from "../contracts/session.ts";

/** Exponential backoff after a failure. */
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;
/** Retry interval for an unavailable embedding provider: short, because users start one and wait for the result. */
const EMBEDDING_RETRY_MS = 5_000;
/** Retry interval for a file that could not be read because of a system or disk error. */
const UNREADABLE_RETRY_MS = 30_000;

/** The input of a pass. */
export interface Changes {
  /** Examine all files, not only `paths`. */
  readonly isFull: boolean;
  /** Delete the stored content first. */
  readonly isForgetting: boolean;
  /** Reopen the index and read every file, ignoring stored fingerprints. */
  readonly isReopening: boolean;
  /** Paths relative to the root that may have changed. */
  readonly paths: ReadonlySet<string>;
}

export interface WorkspaceOptions {
  readonly root: string;
  /** If false, nothing is indexed; the stored index stays searchable. */
  readonly isEnabled: boolean;
  readonly log: Log;
  /** Called after each change of the state, of the counts, or of the searchable content. */
  changed(): void;
}

interface PassProgress {
  /** Stored files of the pass. */
  readonly done: number;
  readonly total: number;
  /** Files of the pass that were read. */
  readonly read?: number;
  /** All files in the index. */
  readonly stored: number;
}

type Kind = Omit<Changes, "paths">;

const SOME_PATHS: Kind = { isFull: false, isForgetting: false, isReopening: false };
const ALL_PATHS: Kind = { ...SOME_PATHS, isFull: true };

const NOTHING_SHOWN: Shown = { indexed: 0, total: 0 };

interface Shown {
  readonly indexed: number;
  readonly total: number;
}

export class Workspace {
  readonly #options: WorkspaceOptions;
  #state: IndexState = "indexing";
  #reason: string | undefined;
  #indexed = 0;
  #total = 0;
  #read = 0;
  #pending = 0;
  #pace: Pace | undefined;
  readonly #excluded = new Map<string, ExcludedFile>();

  /** The highest counts reported since the state became `indexing`. */
  #shown: Shown = NOTHING_SHOWN;

  /** The changes for the next pass, without their paths. */
  #queue = ALL_PATHS;
  #paths = new Set<string>();
  /** Unreadable paths, until `UNREADABLE_RETRY_MS` has passed. */
  readonly #unreadable = new Set<string>();
  /** Cancels the current pass. */
  #work = new AbortController();
  #hasStarted = false;
  #isIdle = false;
  /** Set by a wake-up during a pass, so that `next` does not sleep after it. */
  #isWoken = false;
  #isOpened = false;
  #isPaused = false;
  #isHalted = false;
  #isClosed = false;
  /** Set from a failure until the next attempt. */
  #retryInMs: number | undefined;
  #failures = 0;
  #sleepers: (() => void)[] = [];
  #waiters: { resolve(): void; reject(error: unknown): void }[] = [];

  constructor(options: WorkspaceOptions) {
    this.#options = options;
  }

  get state(): IndexState {
    return this.#state;
  }

  /** The reason for the state, shown to users. */
  get reason(): string | undefined {
    return this.#reason;
  }

  get indexed(): number {
    return this.#indexed;
  }

  /** Files of the current pass that were read, stored or not. */
  get read(): number {
    return Math.min(this.#total, Math.max(this.#read, this.#indexed));
  }

  get total(): number {
    return this.#total;
  }

  /** Chunks without vectors in the current pass. */
  get pending(): number {
    return this.#state === "indexing" ? this.#pending : 0;
  }

  /** Estimated time remaining in the current pass; undefined until there is an estimate. */
  get leftMs(): number | undefined {
    return this.#state === "indexing" ? this.#pace?.leftMs : undefined;
  }

  /** Files excluded by a rule, by path, as of the last full pass and the changes since. */
  get excluded(): ReadonlyMap<string, ExcludedFile> {
    return this.#excluded;
  }

  /** Whether changes are queued for the next pass. */
  get hasWork(): boolean {
    return this.#queue.isFull || this.#paths.size > 0;
  }

  /** Aborts when the current pass is cancelled. */
  get signal(): AbortSignal {
    return this.#work.signal;
  }

  // For users and watchers.

  /** Queues paths, relative to the root, that may have changed. */
  touch(paths: Iterable<string>): void {
    this.#enqueue(SOME_PATHS, paths);
    this.#wake();
  }

  /** Queues an unreadable path again after a delay. */
  touchLater(path: string): void {
    this.#unreadable.add(path);
    if (this.#unreadable.size > 1) return;
    setTimeout(() => {
      const paths = [...this.#unreadable];
      this.#unreadable.clear();
      this.touch(paths);
    }, UNREADABLE_RETRY_MS).unref();
  }

  /** Queues a full pass. */
  refresh(): void {
    this.#enqueue(ALL_PATHS);
    this.#wake();
  }

  /** Queues a full pass that reopens the index. Ends a halt. */
  restart(isForgetting: boolean): void {
    this.#isHalted = false;
    this.#shown = NOTHING_SHOWN;
    this.#enqueue({ isFull: true, isReopening: true, isForgetting });
    this.#wake();
  }

  /** Cancels the current pass and stops indexing until `restart`. */
  halt(reason: string): void {
    this.#take();
    this.#retryInMs = undefined;
    this.#count(0, 0);
    this.#become("paused", reason);
    this.#isHalted = true;
    this.#work.abort();
    this.#wake();
  }

  pause(): void {
    this.#isPaused = true;
    if (this.#state === "indexing" || this.#state === "ready") this.#become("paused");
    this.#releaseWhilePaused();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#state === "paused" && this.#options.isEnabled) this.#become("indexing");
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#work.abort();
    this.#wake();
  }

  /** Resolves when all changes are indexed; rejects with `Unavailable` if the pass fails for a reason outside the program. */
  whenIdle(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#waiters.push({ resolve, reject });
      if (this.#isIdle && !this.hasWork) this.#release();
      this.#releaseWhilePaused();
    });
  }

  // For the owner, which runs the passes.

  /**
   * Waits for the changes of the next pass; after a failure, at most for the backoff. Undefined after `close`. Empty
   * changes mean that pending embeddings are retried.
   */
  async next(): Promise<Changes | undefined> {
    if (this.#retryInMs !== undefined) await this.#sleep(this.#retryInMs);
    else if (this.#hasStarted && !this.hasWork && !this.#isWoken) await this.#rest();
    while (this.#isHalted && !this.#isClosed) await this.#rest();
    if (this.#isClosed) {
      this.#release(new Unavailable("the workspace was closed", "open it again"));
      return undefined;
    }
    this.#hasStarted = true;
    this.#isIdle = false;
    this.#isWoken = false;
    this.#retryInMs = undefined;
    this.#work = new AbortController();
    return this.#take();
  }

  /** The stored index is open and searchable. */
  opened(): void {
    this.#isOpened = true;
    this.#releaseWhilePaused();
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** Queues the changes again after a backoff, and rejects the callers of `whenIdle` with the cause. */
  failed(error: unknown, changes: Changes): void {
    if (this.#isClosed || this.#isHalted) return;
    this.#enqueue(changes, changes.paths);
    this.#retryInMs = Math.min(MIN_RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS);
    this.#failures++;
    const { log, root } = this.#options;
    if (error instanceof Unavailable) {
      log.warn("indexing is unavailable, will retry", { root, error: error.message });
      this.#become("unavailable", error.message);
      this.#release(error);
    } else {
      log.error("bug in indexing", { root, error: stackOf(error) });
      this.#become("degraded", `indexing failed, will retry: ${messageOf(error)}`);
      this.#release(new Unavailable("indexing failed", "see the log", { cause: error }));
    }
  }

  /** Begins a pass whose progress is shown. */
  begin(): void {
    // If the previous pass did not end visibly (`#continues`), its counts are kept.
    if (this.#state !== "indexing") [this.#shown, this.#pace] = [NOTHING_SHOWN, undefined];
    this.#become(this.#isPaused ? "paused" : "indexing");
  }

  /** Begins a pass over all files, which reports each excluded file again. */
  beginFullPass(): void {
    this.#excluded.clear();
    this.begin();
  }

  /** Whether the next pass follows at once; users then see both as one pass. */
  get #continues(): boolean {
    return this.#state === "indexing" && this.hasWork && !this.#isPaused;
  }

  /**
   * All changes of the pass are searchable; only maintenance of the database follows. Does nothing if more changes are
   * queued: the next pass calls it again.
   */
  finish(): void {
    if (this.#continues) return;
    this.#become(this.#isPaused ? "paused" : "ready");
    if (this.hasWork) return;
    this.#isIdle = true;
    this.#release();
  }

  /** Searches use keywords only, because vectors are missing and cannot be made. */
  degrade(reason: string): void {
    this.#become("degraded", reason);
  }

  /** Like `degrade`, but retries soon: `next` then returns empty changes. */
  degradeForNow(reason: string): void {
    this.degrade(reason);
    setTimeout(() => this.#wake(), EMBEDDING_RETRY_MS).unref();
  }

  /** Another engine writes the index; this one only searches it. */
  follow(files: number): void {
    this.#count(files, files);
    this.#become("ready", "another engine keeps the index up to date");
  }

  /** Indexing is switched off; the stored index stays searchable. */
  showStored(files: number): void {
    this.#count(files, files);
    this.#become("paused", "indexing is off: indexing.enabled is false");
  }

  /** Reports the progress of a pass over `total` files. The other files of the index count as indexed. */
  progress({ done, total, stored, read = done }: PassProgress): void {
    const others = Math.max(0, stored - total);
    this.#pace = advance(this.#pace, read, total, performance.now());
    this.#read = others + read;
    if (this.#state !== "indexing") {
      this.#count(others + done, others + total);
      return;
    }
    // Switching a branch takes several passes with different totals; the shown counts never decrease.
    const shown = {
      indexed: Math.max(this.#shown.indexed, others + done),
      total: Math.max(this.#shown.total, others + total),
    };
    this.#shown = shown;
    this.#count(shown.indexed, shown.total);
  }

  /** All files of the pass are stored; `pending` chunks have no vector yet. */
  embedding(pending: number): void {
    this.#pending = pending;
    this.#options.changed();
  }

  /** Counts all stored files as indexed, unless the next pass follows at once. */
  countAll(files: number): void {
    if (this.#continues) return;
    this.#count(files, files);
  }

  exclude(file: ExcludedFile): void {
    this.#excluded.set(file.path, file);
  }

  /** Drops the exclusions of these files; the pass reports them again. */
  reconsider(paths: Iterable<string>): void {
    for (const path of paths) this.#excluded.delete(path);
  }

  /** Waits while indexing is paused. Rejects when the pass is cancelled. */
  async whilePaused(signal: AbortSignal): Promise<void> {
    while (this.#isPaused) {
      signal.throwIfAborted();
      await this.#sleep();
    }
  }

  #enqueue(changes: Kind, paths: Iterable<string> = []): void {
    if (this.#isHalted) return;
    const queue = this.#queue;
    this.#queue = {
      isFull: queue.isFull || changes.isFull,
      isForgetting: queue.isForgetting || changes.isForgetting,
      isReopening: queue.isReopening || changes.isReopening,
    };
    for (const path of paths) this.#paths.add(path);
  }

  #take(): Changes {
    const taken = { ...this.#queue, paths: this.#paths };
    this.#queue = SOME_PATHS;
    this.#paths = new Set();
    return taken;
  }

  /** Becomes idle and sleeps until the next wake-up. */
  async #rest(): Promise<void> {
    if (this.#isClosed) return;
    this.#isIdle = true;
    this.#release();
    await this.#sleep();
  }

  #count(indexed: number, total: number): void {
    if (this.#isHalted) return;
    this.#indexed = indexed;
    this.#total = total;
    this.#options.changed();
  }

  #become(state: IndexState, reason?: string): void {
    if (this.#isHalted || (this.#state === state && this.#reason === reason)) return;
    this.#state = state;
    this.#reason = reason;
    this.#options.changed();
  }

  /** While indexing is paused, `whenIdle` resolves as soon as the index is searchable; it would otherwise wait for `resume`. */
  #releaseWhilePaused(): void {
    if (this.#isPaused && this.#isOpened) this.#release();
  }

  #release(error?: unknown): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { resolve, reject } of waiters) {
      if (error === undefined) resolve();
      else reject(error);
    }
  }

  /** Sleeps until the next wake-up, or for `afterMs`. */
  async #sleep(afterMs?: number): Promise<void> {
    if (this.#isClosed) return;
    const woken = new Promise<void>((resolve) => {
      this.#sleepers.push(resolve);
    });
    if (afterMs === undefined) await woken;
    else await Promise.race([woken, delay(afterMs, undefined, { ref: false })]);
  }

  #wake(): void {
    // The owner has not taken the changes yet; `whenIdle` waits for them.
    this.#isIdle = false;
    const sleepers = this.#sleepers;
    this.#isWoken = sleepers.length === 0;
    this.#sleepers = [];
    for (const wakeUp of sleepers) wakeUp();
  }
}
