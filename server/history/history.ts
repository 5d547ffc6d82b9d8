/** Keeps the stored commits of one index equal to the ancestry of HEAD. Start reading here. */

import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf, stackOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { SingleFlight } from "../common/single-flight.ts";
import type {
  CommitReader,
  CommitRow,
  HistoryMark,
  HistoryStatus,
  HistoryStore,
  ReadCommit,
  ReadCommitsJob,
} from "../contracts/history.ts";
import { type Listing, listCommits } from "./list-commits.ts";
import {
  headPlaceOf,
  type OpenRepository,
  openRepository,
  type RepositoryOptions,
} from "./open-repository.ts";
import { PatchReader } from "./patch-reader.ts";
import { PullRequests } from "./pull-requests.ts";
import { NoHistory } from "./repository.ts";

/** Version of the stored rows. Raise it when their content changes; stored rows are then discarded. */
const FORMAT = 4;
/** Commits per job. Small, so that a saved file waits at most a quarter of a second for a thread. */
const BATCH = 50;
/** Removed commits in one transaction. */
const REMOVED_BATCH = 2_000;
const RETRY_MS = 30_000;
const LOOK_AGAIN_MS = 5_000;
/** After this many, the database is vacuumed, which also frees their 3 MB of write-ahead log. */
const VACUUM_AFTER_COMMITS = 1_000;
/** A query that arrives before any commit was read waits this long for the newest ones. */
const FIRST_COMMITS_TIMEOUT_MS = 4_000;
const FIRST_COMMITS_POLL_MS = 50;
/** After a first query, this many of the newest commits are read before files are indexed. */
const URGENT_COMMITS = 500;

export interface HistoryOptions extends RepositoryOptions {
  /** At most this many commits. */
  readonly limit: number;
  /** Why history is turned off; undefined if it is on. */
  readonly offReason: string | undefined;
  readonly rules: ReadCommitsJob["rules"];
  readonly modelId: string;
  /** Whether the built-in model embeds commits in the reader's threads; otherwise `embed` does. */
  readonly isLocalModel: boolean;
  readonly reader: CommitReader;
  readonly log: Log;
  /** Undefined while the database is unavailable or another engine writes. */
  store(): HistoryStore | undefined;
  /** Waits while the index is paused and, unless `isUrgent`, while files are indexed or a user searches or types. */
  gate(signal: AbortSignal, isUrgent: () => boolean): Promise<void>;
  /** Adds the vectors of a remote model to rows; rows without a vector if the model does not answer. */
  embed(rows: readonly ReadCommit[], signal: AbortSignal): Promise<readonly CommitRow[]>;
  /** Called with the rows that were stored and the hashes that were removed. */
  changed(added: readonly CommitRow[], removed: readonly string[]): Promise<void> | void;
  /** Called after all stored commits were deleted. */
  cleared(): void;
  /** Vacuums the database, which answers no other statement meanwhile. */
  tidy(signal: AbortSignal): Promise<void>;
}

export class History {
  /** The diffs of commits. */
  readonly patches = new PatchReader();
  readonly pullRequests = new PullRequests();
  #status: HistoryStatus;
  readonly #options: HistoryOptions;
  readonly #controller = new AbortController();
  /** Cancels the current run; `#controller` cancels all. */
  #current = new AbortController();
  #isWanted = false;
  readonly #running = new SingleFlight(() => this.#run());
  #retry: NodeJS.Timeout | undefined;
  #opened: OpenRepository | undefined;
  #lookedAt = -Infinity;
  #isAsked = false;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#status = this.#initialStatus;
  }

  get #initialStatus(): HistoryStatus {
    const { offReason: reason } = this.#options;
    const none = { commits: 0, total: 0 };
    return reason === undefined ? { state: "waiting", ...none } : { state: "off", reason, ...none };
  }

  get status(): HistoryStatus {
    return this.#status;
  }

  /**
   * The repository at its current HEAD, for queries that git answers itself; the stored commits may be behind it. Rejects
   * with NoHistory without a repository.
   */
  async repository(): Promise<OpenRepository> {
    const opened = this.#opened;
    const head = await headPlaceOf(this.#options.root);
    const isSame =
      opened?.head.commit === head?.commit && opened?.head.gitFolder === head?.gitFolder;
    if (opened !== undefined && isSame) return opened;
    this.#opened = await openRepository(this.#options);
    return this.#opened;
  }

  /** Starts git processes for diffs ahead of a query, while commits are ranked. */
  prepare(): void {
    const isClosed = this.#controller.signal.aborted;
    if (this.#opened !== undefined && !isClosed) this.patches.prepare(this.#opened);
  }

  /** Refreshes at most every five seconds. Called before each query, because HEAD may have moved without a notification. */
  lookAgain(): void {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_AGAIN_MS) return;
    this.#lookedAt = now;
    this.refresh();
  }

  /** Resolves when a commit can be searched, when reading has failed or ended, or after a timeout. */
  async firstCommits(signal: AbortSignal | undefined): Promise<void> {
    this.#isAsked = true;
    const deadline = performance.now() + FIRST_COMMITS_TIMEOUT_MS;
    const isAwaited = () =>
      this.#status.commits === 0 &&
      (this.#status.state === "waiting" || this.#status.state === "reading");
    while (isAwaited() && performance.now() < deadline && !this.#controller.signal.aborted) {
      if (!this.#running.isRunning) this.refresh();
      await delay(FIRST_COMMITS_POLL_MS, undefined, { signal });
    }
  }

  /** Schedules a run that compares the stored commits with HEAD. Returns immediately. */
  refresh(): void {
    if (this.#controller.signal.aborted) return;
    this.#isWanted = true;
    clearTimeout(this.#retry);
    void this.#running.run();
  }

  /** Resolves when no run is active. */
  async whenIdle(): Promise<void> {
    await this.#running.whenIdle();
  }

  /** Stops reading until the next refresh; resolves after the last write. */
  async halt(): Promise<void> {
    this.#isWanted = false;
    clearTimeout(this.#retry);
    this.#current.abort();
    this.patches.close();
    await this.#running.whenIdle();
    this.#status = this.#initialStatus;
  }

  async close(): Promise<void> {
    this.#controller.abort();
    clearTimeout(this.#retry);
    this.patches.close();
    await this.#running.whenIdle();
  }

  async #run(): Promise<void> {
    const closing = this.#controller.signal;
    while (this.#isWanted && !closing.aborted) {
      this.#isWanted = false;
      this.#current = new AbortController();
      const signal = AbortSignal.any([closing, this.#current.signal]);
      try {
        await this.#bringUpToDate(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#failed(error);
      }
    }
  }

  #failed(error: unknown): void {
    const { log, root } = this.#options;
    if (error instanceof NoHistory) {
      this.#status = { state: "unavailable", reason: error.message, commits: 0, total: 0 };
      return;
    }
    this.#status = { ...this.#status, state: "unavailable", reason: messageOf(error) };
    if (error instanceof Unavailable) log.warn("history waits", { root, error: error.message });
    else log.error("bug in reading history", { root, error: stackOf(error) });
    this.#retry = setTimeout(() => this.refresh(), RETRY_MS);
    this.#retry.unref();
  }

  /** Compares the stored hashes with git's list, so that any move of a branch or of a shallow boundary is handled alike. */
  async #bringUpToDate(signal: AbortSignal): Promise<void> {
    const { limit, offReason, store: storeOf } = this.#options;
    const store = storeOf();
    if (offReason !== undefined || store === undefined) return;
    const opened = await openRepository(this.#options);
    this.#opened = opened;
    await store.open();
    const mark = await this.#startFrom(store);
    const position = positionOf(opened, limit);
    if (mark.position === position && this.#status.state === "ready") return;
    const stored = new Set(await store.shas());
    if (mark.position === position) {
      this.#ready(stored.size, await store.oldest(), mark.reason);
      return;
    }
    const listing = await this.#list(opened, signal);
    const { shas, places } = listing;
    const listed = new Set(shas);
    const removed = [...stored].filter((sha) => !listed.has(sha));
    const missing = shas.filter((sha) => !stored.has(sha));
    this.#reading(stored.size - removed.length, shas.length, undefined);
    await this.#remove(store, removed);
    this.#reading(this.#status.commits, shas.length, await store.oldest());
    if (!(await this.#readAll(store, opened, { shas: missing, places }, signal))) return;
    const end = endOf(listing, opened, limit);
    const reason = end === undefined ? undefined : `history ends early: ${end}`;
    const fingerprint = this.#fingerprint;
    await store.setMark({ position, fingerprint, ...(reason === undefined ? {} : { reason }) });
    this.#ready(shas.length, this.#status.since, reason);
    if (missing.length >= VACUUM_AFTER_COMMITS) await this.#tidy(signal);
  }

  /** A failure is only logged: the commits are stored and can be searched. */
  async #tidy(signal: AbortSignal): Promise<void> {
    const { log, root, tidy } = this.#options;
    try {
      await tidy(signal);
    } catch (error) {
      log.warn("could not vacuum the database", { root, error: messageOf(error) });
    }
  }

  /** Returns the stored mark; rows with another fingerprint are deleted first. */
  async #startFrom(store: HistoryStore): Promise<HistoryMark> {
    const mark = await store.mark();
    const fingerprint = this.#fingerprint;
    if (mark?.fingerprint === fingerprint) return mark;
    if (mark !== undefined) {
      await store.clear();
      this.#options.cleared();
    }
    // The fingerprint is stored before the rows, so that an interrupted run can continue.
    const start = { position: "", fingerprint };
    await store.setMark(start);
    return start;
  }

  /** Rejects with Unavailable if HEAD moved meanwhile, because its old commit may have been pruned. */
  async #list(opened: OpenRepository, signal: AbortSignal) {
    const { limit, root } = this.#options;
    const listing = await listCommits(opened.directory, opened.head.commit, limit, signal);
    if (listing.brokenBy !== undefined) {
      const now = await headPlaceOf(root);
      if (now !== undefined && now.commit !== opened.head.commit) {
        throw new Unavailable("HEAD moved while its history was listed", "it is listed again");
      }
    }
    return listing;
  }

  /** A hash of everything that the content of rows depends on. */
  get #fingerprint(): string {
    const { rules, modelId } = this.#options;
    const prefix = this.#opened?.repository.prefix ?? "";
    const made = JSON.stringify([FORMAT, rules, modelId, prefix]);
    return createHash("sha256").update(made).digest("hex").slice(0, 16);
  }

  async #remove(store: HistoryStore, removed: readonly string[]): Promise<void> {
    for (let from = 0; from < removed.length; from += REMOVED_BATCH) {
      const some = removed.slice(from, from + REMOVED_BATCH);
      await store.commit([], some);
      await this.#options.changed([], some);
    }
  }

  /** Reads missing commits, newest first. False if a refresh was requested meanwhile, so that the list is outdated. */
  async #readAll(
    store: HistoryStore,
    { directory, repository }: OpenRepository,
    { shas: missing, places }: Pick<Listing, "shas" | "places">,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { root, rules, reader, isLocalModel: embed } = this.#options;
    const isUrgent = () => this.#isAsked && this.#status.commits < URGENT_COMMITS;
    const readFrom = async (from: number) => {
      const shas = missing.slice(from, from + BATCH);
      if (shas.length === 0) return [];
      await this.#options.gate(signal, isUrgent);
      const job = { directory, shas, root, prefix: repository.prefix, rules, embed };
      return await reader.readCommits(job, signal);
    };
    let next = deferFailure(readFrom(0));
    for (let from = 0; from < missing.length; from += BATCH) {
      const read = (await next)().map((row) => withPlace(row, places.get(row.sha)));
      const rows = await this.#options.embed(read, signal);
      if (this.#isWanted) return false;
      // The next batch is read while this one is stored.
      next = deferFailure(readFrom(from + BATCH));
      await store.commit(rows, []);
      await this.#options.changed(rows, []);
      const { commits, total, since } = this.#status;
      this.#reading(commits + rows.length, total, oldestOf(rows, since));
    }
    return true;
  }

  #reading(commits: number, total: number, since: number | undefined): void {
    this.#status = { state: "reading", commits, total, ...(since === undefined ? {} : { since }) };
  }

  #ready(commits: number, since: number | undefined, reason: string | undefined): void {
    this.#status = {
      state: "ready",
      commits,
      total: commits,
      ...(since === undefined ? {} : { since }),
      ...(reason === undefined ? {} : { reason }),
    };
  }
}

/** The earliest of some times: commits that git could not read have none. */
function oldestOf(rows: readonly CommitRow[], since: number | undefined): number | undefined {
  const oldest = rows.reduce(
    (least, { time }) => (time > 0 ? Math.min(least, time) : least),
    since ?? Infinity,
  );
  return oldest === Infinity ? undefined : oldest;
}

function withPlace(row: ReadCommit, place: number | undefined): ReadCommit {
  return place === undefined ? row : { ...row, place };
}

/** For a promise that may reject before it is awaited: a failure is thrown when the returned function is called. */
async function deferFailure<T>(result: Promise<T>): Promise<() => T> {
  const [outcome] = await Promise.allSettled([result]);
  return () => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  };
}

/** Why older commits are missing; undefined if none is. */
function endOf(
  { brokenBy, hasOlder }: Listing,
  { repository }: OpenRepository,
  limit: number,
): string | undefined {
  if (brokenBy !== undefined) return brokenBy;
  if (hasOlder) return `only the newest ${limit} commits are read (setting history.commits)`;
  return repository.shallow === "" ? undefined : "the clone is shallow (git fetch --unshallow)";
}

/** Identifies the set of commits to store: HEAD, the limit and the shallow boundary. */
function positionOf({ head, repository }: OpenRepository, limit: number): string {
  const boundary = createHash("sha256").update(repository.shallow).digest("hex").slice(0, 16);
  return `${head.commit} ${limit} ${boundary}`;
}
