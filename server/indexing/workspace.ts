/**
 * How far one workspace is indexed and what is left to do: a state machine that is told what happens and does no work.
 *
 * Its owner asks `next` for work, tells it how the work goes, and ends each piece with `succeeded` or `failed`.
 */

import { setTimeout as delay } from "node:timers/promises";
import { messageOf, stackOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { advance, type Pace } from "../common/time-left.ts";
import type { ExcludedFile } from "../contracts/model.ts";
import type { IndexState } from "../contracts/session.ts";

/** Delay before the next attempt after a failure; it doubles up to the maximum. */
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;
/** Delay before a provider that was down is asked again; people start it and expect to see it. */
const EMBEDDING_RETRY_MS = 5_000;
/** Delay before a file is read again for which the system had no memory or handle, or whose disk failed. */
const UNREADABLE_RETRY_MS = 30_000;

/** What a pass has to look at. */
export interface Changes {
  /** All files, not only `paths`. */
  readonly isFull: boolean;
  /** What is stored is dropped first. */
  readonly isForgetting: boolean;
  /** The index is opened again, and no file is recognized unread. */
  readonly isReopening: boolean;
  /** Relative paths that may have changed. */
  readonly paths: ReadonlySet<string>;
}

export interface WorkspaceOptions {
  readonly root: string;
  /** When false, what is stored is searched and nothing is indexed. */
  readonly isEnabled: boolean;
  readonly log: Log;
  /** Called whenever the state or the counts changed, or what a search finds. */
  changed(): void;
}

interface PassProgress {
  /** Files that are stored. */
  readonly done: number;
  readonly total: number;
  /** Files that are read. */
  readonly read?: number;
  /** All files of the index. */
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

  /** The highest counts since indexing began to be shown. */
  #shown: Shown = NOTHING_SHOWN;

  /** What the next pass has to look at; its paths are in a set of their own, to which paths are added. */
  #queue = ALL_PATHS;
  #paths = new Set<string>();
  readonly #later = new Set<string>();
  /** Ends the work under way. */
  #work = new AbortController();
  #hasStarted = false;
  #isIdle = false;
  /** Whether something is to be looked at again that came while its owner was at work. */
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

  /** Why it is in this state, in words for the user. */
  get reason(): string | undefined {
    return this.#reason;
  }

  get indexed(): number {
    return this.#indexed;
  }

  /** Files of the current pass that are read, whether or not they are stored yet. */
  get read(): number {
    return Math.min(this.#total, Math.max(this.#read, this.#indexed));
  }

  get total(): number {
    return this.#total;
  }

  /** Chunks that wait for their vectors in the current pass. */
  get pending(): number {
    return this.#state === "indexing" ? this.#pending : 0;
  }

  /** Time remaining in the current pass, once it can be estimated. */
  get leftMs(): number | undefined {
    return this.#state === "indexing" ? this.#pace?.leftMs : undefined;
  }

  /** The files that rules keep out of the index, by path, as of the last full pass and the changes since. */
  get excluded(): ReadonlyMap<string, ExcludedFile> {
    return this.#excluded;
  }

  /** True when files have changed that no pass has taken yet. */
  get hasWork(): boolean {
    return this.#queue.isFull || this.#paths.size > 0;
  }

  /** Aborts when the work under way is to end. */
  get signal(): AbortSignal {
    return this.#work.signal;
  }

  // What users and watchers tell.

  /** Relative paths that may have changed. */
  touch(paths: Iterable<string>): void {
    this.#enqueue(SOME_PATHS, paths);
    this.#wake();
  }

  /** A path that could not be read is looked at again some time later. */
  touchLater(path: string): void {
    this.#later.add(path);
    if (this.#later.size > 1) return;
    setTimeout(() => {
      const paths = [...this.#later];
      this.#later.clear();
      this.touch(paths);
    }, UNREADABLE_RETRY_MS).unref();
  }

  /** Anything may have changed. */
  refresh(): void {
    this.#enqueue(ALL_PATHS);
    this.#wake();
  }

  /** The index is opened again and all files are looked at; ends a halt. */
  restart(isForgetting: boolean): void {
    this.#isHalted = false;
    this.#shown = NOTHING_SHOWN;
    this.#enqueue({ isFull: true, isReopening: true, isForgetting });
    this.#wake();
  }

  /** The work under way is to end, and nothing is done until a restart. */
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

  /** Resolves when everything is stored and can be found; rejects with Unavailable when that cannot be done now. */
  whenIdle(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#waiters.push({ resolve, reject });
      if (this.#isIdle && !this.hasWork) this.#release();
      this.#releaseWhilePaused();
    });
  }

  // What its owner, who does the work, asks and tells.

  /**
   * The next piece of work; waits for it, and after a failure for the time of the next attempt. Undefined when it was
   * closed. The changes are empty where nothing is known to have changed and what is pending is to be tried again.
   */
  async next(): Promise<Changes | undefined> {
    if (this.#retryInMs !== undefined) await this.#nextNews(this.#retryInMs);
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

  /** What is stored can be searched. */
  opened(): void {
    this.#isOpened = true;
    this.#releaseWhilePaused();
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** What was to be done is done again later; those who wait are told why not now. */
  failed(error: unknown, changes: Changes): void {
    if (this.#isClosed || this.#isHalted) return;
    this.#enqueue(changes, changes.paths);
    this.#retryInMs = Math.min(MIN_RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS);
    this.#failures++;
    const { log, root } = this.#options;
    if (error instanceof Unavailable) {
      log.warn("indexing waits", { root, error: error.message });
      this.#become("unavailable", error.message);
      this.#release(error);
    } else {
      log.error("bug in indexing", { root, error: stackOf(error) });
      this.#become("degraded", `indexing failed and is tried again: ${messageOf(error)}`);
      this.#release(new Unavailable("indexing failed", "see the log", { cause: error }));
    }
  }

  /** A pass begins that users should see. */
  begin(): void {
    // After a pass whose end was not shown, because files had changed meanwhile, counting continues.
    if (this.#state !== "indexing") [this.#shown, this.#pace] = [NOTHING_SHOWN, undefined];
    this.#become(this.#isPaused ? "paused" : "indexing");
  }

  /** All files are looked at: which of them are excluded is told again. */
  beginFullPass(): void {
    this.#excluded.clear();
    this.begin();
  }

  /** Whether another pass follows at once, so that users see one that has not ended. */
  get #continues(): boolean {
    return this.#state === "indexing" && this.hasWork && !this.#isPaused;
  }

  /**
   * Everything is stored and can be found; what a pass does after it puts the database in order, and nobody waits for
   * that. Where changes have come meanwhile, the next pass ends it.
   */
  finish(): void {
    if (this.#continues) return;
    this.#become(this.#isPaused ? "paused" : "ready");
    if (this.hasWork) return;
    this.#isIdle = true;
    this.#release();
  }

  /** Searches are answered by words only: vectors are missing and cannot be made now. */
  degrade(reason: string): void {
    this.#become("degraded", reason);
  }

  /** As `degrade`, where the provider may be back soon; then `next` returns empty changes. */
  degradeForNow(reason: string): void {
    this.degrade(reason);
    setTimeout(() => this.#wake(), EMBEDDING_RETRY_MS).unref();
  }

  /** Another engine writes the index; this one searches it. */
  follow(files: number): void {
    this.#count(files, files);
    this.#become("ready", "another engine keeps the index up to date");
  }

  /** Indexing is switched off; what is stored can be searched. */
  showStored(files: number): void {
    this.#count(files, files);
    this.#become("paused", "indexing is off: indexing.enabled is false");
  }

  /** How far a pass is over `total` of the `stored` files; the others count as indexed. */
  progress({ done, total, stored, read = done }: PassProgress): void {
    const others = Math.max(0, stored - total);
    this.#pace = advance(this.#pace, read, total, performance.now());
    this.#read = others + read;
    if (this.#state !== "indexing") {
      this.#count(others + done, others + total);
      return;
    }
    // Files come and go while a branch is switched, in several passes: what is shown only moves forward.
    const shown = {
      indexed: Math.max(this.#shown.indexed, others + done),
      total: Math.max(this.#shown.total, others + total),
    };
    this.#shown = shown;
    this.#count(shown.indexed, shown.total);
  }

  /** All files of the pass are stored; this many chunks still wait for their vectors. */
  embedding(pending: number): void {
    this.#pending = pending;
    this.#options.changed();
  }

  /** All stored files count as indexed, unless the next pass follows at once and continues to count. */
  countAll(files: number): void {
    if (this.#continues) return;
    this.#count(files, files);
  }

  exclude(file: ExcludedFile): void {
    this.#excluded.set(file.path, file);
  }

  /** These files are looked at again: which of them are excluded is told again. */
  reconsider(paths: Iterable<string>): void {
    for (const path of paths) this.#excluded.delete(path);
  }

  /** Waits while indexing is paused; rejects when the work is to end. */
  async whilePaused(signal: AbortSignal): Promise<void> {
    while (this.#isPaused) {
      signal.throwIfAborted();
      await this.#nextNews();
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

  /** Until something happens. */
  async #rest(): Promise<void> {
    if (this.#isClosed) return;
    this.#isIdle = true;
    this.#release();
    await this.#nextNews();
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

  /** Once it can be searched, nothing more is done until it is resumed: waiting for it would not end. */
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

  /** Resolves when something was queued, resumed, halted or closed, or after the given time. */
  async #nextNews(afterMs?: number): Promise<void> {
    if (this.#isClosed) return;
    const woken = new Promise<void>((resolve) => {
      this.#sleepers.push(resolve);
    });
    if (afterMs === undefined) await woken;
    else await Promise.race([woken, delay(afterMs, undefined, { ref: false })]);
  }

  #wake(): void {
    // Its owner is about to look for work: what waits until it is idle has to wait for that.
    this.#isIdle = false;
    const sleepers = this.#sleepers;
    this.#isWoken = sleepers.length === 0;
    this.#sleepers = [];
    for (const wakeUp of sleepers) wakeUp();
  }
}
