/**
 * The indexing state of one workspace: a state machine that queues changes and does no work itself.
 *
 * Its owner takes changes from `next`, runs a pass, and reports its progress and its end with `report`.
 */

import { setTimeout as delay } from "node:timers/promises";
import { messageOf, stackOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { IndexState } from "../contracts/session.ts";
import { advanced, type Counts, NO_COUNTS, NO_FILES, type PassProgress } from "./counts.ts";

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

/** The end of a pass whose changes are stored. */
export type PassResult =
  /** All changes are searchable. */
  | { readonly kind: "ready" }
  /** Searches use keywords only, because vectors are missing and cannot be made. */
  | { readonly kind: "degraded"; readonly reason: string; readonly isRetriedSoon: boolean };

/** An event that the owner of a workspace reports: of opening the index, of a running pass, or the end of the pass. */
export type PassEvent =
  /** The stored index, which has `files`, is open and searchable. */
  | { readonly kind: "opened"; readonly files: number }
  /** The progress of the pass is shown from now on. */
  | { readonly kind: "begun" }
  | ({ readonly kind: "progress" } & PassProgress)
  /** A file or folder could not be read; it is queued again after a delay. */
  | { readonly kind: "unreadable"; readonly path: string }
  /** All files of the pass are stored; `files` are in the index. */
  | { readonly kind: "stored"; readonly files: number }
  /** `pending` chunks have no vector yet. */
  | { readonly kind: "embedding"; readonly pending: number }
  | PassResult
  /** The index, which has `files`, is searched but not written by this engine. */
  | { readonly kind: "read-only"; readonly files: number; readonly isOff: boolean }
  | { readonly kind: "failed"; readonly error: unknown };

/** The state of an index and the counts of its files. */
interface WorkspaceStatus {
  readonly state: IndexState;
  /** The reason for the state, shown to users. */
  readonly reason: string | undefined;
  readonly indexed: number;
  readonly total: number;
  /** Files whose stored content is searched: at least `indexed`, and not all are compared with the files on disk. */
  readonly searched: number;
  /** Files of the current pass that were read, stored or not. */
  readonly read: number;
  /** Chunks without vectors in the current pass. */
  readonly pending: number;
  /** Estimated time remaining in the current pass; undefined until there is an estimate. */
  readonly leftMs: number | undefined;
}

interface WorkspaceOptions {
  readonly root: string;
  /** If false, nothing is indexed; the stored index stays searchable. */
  readonly isEnabled: boolean;
  readonly log: Log;
  /** Called after each change of the state, of the counts, or of the searchable content. */
  changed(): void;
}

type Kind = Omit<Changes, "paths">;

/** The events of a pass before its files are searchable. A pass without pending vectors then ends, the others embed. */
const READING: ReadonlySet<PassEvent["kind"]> = new Set([
  "opened",
  "begun",
  "progress",
  "unreadable",
  "stored",
]);

const SOME_PATHS: Kind = { isFull: false, isForgetting: false, isReopening: false };
const ALL_PATHS: Kind = { ...SOME_PATHS, isFull: true };

export class Workspace {
  readonly #options: WorkspaceOptions;
  #state: IndexState = "indexing";
  #reason: string | undefined;
  #counts = NO_COUNTS;

  /** The changes for the next pass, without their paths. */
  #queue = ALL_PATHS;
  #paths = new Set<string>();
  /** The changes of the current pass. */
  #taken: Changes = { ...SOME_PATHS, paths: new Set() };
  /** Unreadable paths, until `UNREADABLE_RETRY_MS` has passed. */
  readonly #unreadable = new Set<string>();
  /** Cancels the current pass. */
  #work = new AbortController();
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
  /** Whether the current pass may still read files; then it only embeds. */
  #isReading = false;
  #waitingForFiles: (() => void)[] = [];

  constructor(options: WorkspaceOptions) {
    this.#options = options;
  }

  get status(): WorkspaceStatus {
    const [state, reason] = [this.#state, this.#reason];
    const { indexed, total, read, unchecked, pending, pace } = this.#counts;
    const isIndexing = state === "indexing";
    return {
      state,
      reason,
      indexed,
      total,
      searched: Math.min(total, indexed + unchecked),
      read: Math.min(total, Math.max(read, indexed)),
      pending: isIndexing ? pending : 0,
      leftMs: isIndexing ? pace?.leftMs : undefined,
    };
  }

  /** Whether changes are queued for the next pass. */
  get hasWork(): boolean {
    return this.#queue.isFull || this.#paths.size > 0;
  }

  // For users and watchers.

  /** Queues paths, relative to the root, that may have changed. */
  touch(paths: Iterable<string>): void {
    this.#enqueue(SOME_PATHS, paths);
    this.#wake();
  }

  /** Queues a full pass. */
  refresh(): void {
    this.#enqueue(ALL_PATHS);
    this.#wake();
  }

  /** Queues a full pass that reopens the index. Ends a halt. */
  restart(isForgetting: boolean): void {
    this.#isHalted = false;
    this.#counts = { ...this.#counts, shown: NO_FILES };
    this.#enqueue({ isFull: true, isReopening: true, isForgetting });
    this.#wake();
  }

  /** Cancels the current pass and stops indexing until `restart`. */
  halt(reason: string): void {
    if (this.#isHalted) return;
    this.#take();
    this.#retryInMs = undefined;
    this.#countAll(0);
    this.#become("paused", reason);
    this.#isHalted = true;
    this.#work.abort();
    this.#wake();
    this.#releaseStored();
  }

  pause(): void {
    this.#isPaused = true;
    if (this.#state === "indexing" || this.#state === "ready") this.#become("paused");
    this.#releaseWhilePaused();
    this.#releaseStored();
  }

  resume(): void {
    this.#isPaused = false;
    const isStopped = this.#isHalted || !this.#options.isEnabled;
    if (this.#state === "paused" && !isStopped) this.#become("indexing");
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#work.abort();
    this.#wake();
    this.#releaseStored();
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

  /** Resolves when the files of all changes are stored, with or without vectors, or cannot be stored now. */
  whenStored(): Promise<void> {
    return new Promise((resolve) => {
      this.#waitingForFiles.push(resolve);
      this.#releaseStored();
    });
  }

  // For the owner, which runs the passes.

  /**
   * Waits for the changes of the next pass; after a failure, at most for the backoff. Undefined after `close`. Empty
   * changes mean that pending embeddings are retried. `signal` aborts when the pass is cancelled.
   */
  async next(): Promise<{ readonly changes: Changes; readonly signal: AbortSignal } | undefined> {
    if (this.#retryInMs !== undefined) await this.#sleep(this.#retryInMs);
    else {
      this.#failures = 0;
      if (!this.hasWork && !this.#isWoken) await this.#rest();
    }
    while (this.#isHalted && !this.#isClosed) await this.#rest();
    if (this.#isClosed) {
      this.#release(new Unavailable("the workspace was closed", "open it again"));
      return undefined;
    }
    this.#isIdle = false;
    this.#isReading = true;
    this.#isWoken = false;
    this.#retryInMs = undefined;
    this.#work = new AbortController();
    this.#taken = this.#take();
    return { changes: this.#taken, signal: this.#work.signal };
  }

  /** Changes the state by an event of the current pass; a halted workspace ignores it. */
  report(event: PassEvent): void {
    if (this.#isHalted) return;
    this.#apply(event);
    if (!READING.has(event.kind)) this.#isReading = false;
    this.#releaseStored();
  }

  #apply(event: PassEvent): void {
    switch (event.kind) {
      case "opened":
        this.#isOpened = true;
        if (this.#counts.total === 0)
          this.#count({ ...this.#counts, unchecked: event.files, total: event.files });
        return this.#releaseWhilePaused();
      case "begun":
        // If the previous pass did not end visibly (`#continues`), its counts are kept.
        if (this.#state !== "indexing")
          this.#counts = { ...this.#counts, shown: NO_FILES, pace: undefined };
        return this.#become(this.#isPaused ? "paused" : "indexing");
      case "progress":
        return this.#count(advanced(this.#counts, event, this.#state === "indexing"));
      case "unreadable":
        return this.#touchLater(event.path);
      case "stored":
        return this.#continues ? undefined : this.#countAll(event.files);
      case "embedding":
        return this.#count({ ...this.#counts, pending: event.pending });
      case "ready":
        return this.#continues ? undefined : this.#finish();
      case "degraded":
        this.#become("degraded", event.reason);
        if (event.isRetriedSoon) setTimeout(() => this.#wake(), EMBEDDING_RETRY_MS).unref();
        return;
      case "read-only":
        this.#countAll(event.files);
        if (event.isOff) this.#become("paused", "indexing is off: indexing.enabled is false");
        else this.#become("ready", "another engine keeps the index up to date");
        return;
      case "failed":
        return this.#isClosed ? undefined : this.#fail(event.error);
    }
  }

  /** Waits while indexing is paused. Rejects when the pass is cancelled. */
  async whilePaused(signal: AbortSignal): Promise<void> {
    while (this.#isPaused) {
      signal.throwIfAborted();
      await this.#sleep();
    }
  }

  /** Whether the next pass follows at once; users then see both as one pass. */
  get #continues(): boolean {
    return this.#state === "indexing" && this.hasWork && !this.#isPaused;
  }

  #finish(): void {
    this.#become(this.#isPaused ? "paused" : "ready");
    if (this.hasWork) return;
    this.#isIdle = true;
    this.#release();
  }

  /** Queues the changes again after a backoff, and rejects the callers of `whenIdle` with the cause. */
  #fail(error: unknown): void {
    this.#enqueue(this.#taken, this.#taken.paths);
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

  /** Queues an unreadable path again after a delay. */
  #touchLater(path: string): void {
    this.#unreadable.add(path);
    if (this.#unreadable.size > 1) return;
    setTimeout(() => {
      const paths = [...this.#unreadable];
      this.#unreadable.clear();
      this.touch(paths);
    }, UNREADABLE_RETRY_MS).unref();
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

  #releaseStored(): void {
    const isHeld = this.#isPaused || this.#isHalted || this.#retryInMs !== undefined;
    if (!isHeld && !this.#isClosed && (this.#isReading || this.hasWork)) return;
    for (const resolve of this.#waitingForFiles.splice(0)) resolve();
  }

  /** Becomes idle and sleeps until the next wake-up. */
  async #rest(): Promise<void> {
    if (this.#isClosed) return;
    this.#isIdle = true;
    this.#release();
    await this.#sleep();
  }

  /** Counts all stored files as indexed. */
  #countAll(files: number): void {
    this.#count({ ...this.#counts, indexed: files, total: files, unchecked: 0 });
  }

  #count(counts: Counts): void {
    this.#counts = counts;
    this.#options.changed();
  }

  #become(state: IndexState, reason?: string): void {
    if (this.#state === state && this.#reason === reason) return;
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
