/** Keeps the stored history of one index equal to the ancestry of HEAD. Start reading here. */

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
  type HeadPlace,
  type OpenRepository,
  openRepository,
  type RepositoryOptions,
} from "./open-repository.ts";
import { PatchReader } from "./patch-reader.ts";
import { PullRequests } from "./pull-requests.ts";
import { NoHistory } from "./repository.ts";

/** Raised whenever rows are made in another way: stored ones are then thrown away. */
const FORMAT = 4;
/** Small, so that a file that is saved meanwhile waits a quarter of a second for a thread, and no more. */
const BATCH = 50;
/** Removed commits in one transaction. */
const REMOVED_BATCH = 2_000;
const RETRY_MS = 30_000;
const LOOK_AGAIN_MS = 5_000;
/** The database keeps what it wrote of these (3 MB) for the case of a crash, until it is vacuumed. */
const TIDY_AFTER_COMMITS = 1_000;
/** A question that comes before anything was read waits this long for the newest commits. */
const FIRST_COMMITS_MS = 4_000;
const FIRST_COMMITS_POLL_MS = 50;
/** Once somebody has asked, these many of the newest commits are read before the files are indexed. */
const URGENT_COMMITS = 500;

export interface HistoryOptions extends RepositoryOptions {
  /** At most this many commits. */
  readonly limit: number;
  /** Why none are read; undefined where they are. */
  readonly offReason: string | undefined;
  readonly rules: ReadCommitsJob["rules"];
  readonly modelId: string;
  /** Whether the built-in model embeds while commits are read; otherwise `embed` does. */
  readonly isLocalModel: boolean;
  readonly reader: CommitReader;
  readonly log: Log;
  head(): Promise<HeadPlace | undefined>;
  /** Undefined while the database does not answer or another engine writes. */
  store(): HistoryStore | undefined;
  /** Waits while the index is paused; unless it is urgent, also while files are indexed or a user searches or types. */
  gate(signal: AbortSignal, isUrgent: () => boolean): Promise<void>;
  /** Rows that are about to be stored, with the vectors of a remote model where it answers. */
  embed(rows: readonly ReadCommit[], signal: AbortSignal): Promise<readonly CommitRow[]>;
  /** Called with what has been stored, and what has been removed. */
  changed(added: readonly CommitRow[], removed: readonly string[]): Promise<void> | void;
  /** Called when everything that was stored is gone. */
  cleared(): void;
  /** Puts the database in order after much was written; for a moment it answers nothing else. */
  tidy(signal: AbortSignal): Promise<void>;
}

export class History {
  /** What commits changed. */
  readonly patches = new PatchReader();
  readonly pullRequests = new PullRequests();
  #status: HistoryStatus;
  readonly #options: HistoryOptions;
  readonly #controller = new AbortController();
  /** Ends what is under way without ending the history. */
  #current = new AbortController();
  #isWanted = false;
  readonly #running = new SingleFlight(() => this.#run());
  #retry: NodeJS.Timeout | undefined;
  #opened: OpenRepository | undefined;
  #lookedAt = -Infinity;
  #isAsked = false;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#status = this.#before;
  }

  /** As long as nothing was read. */
  get #before(): HistoryStatus {
    const { offReason: reason } = this.#options;
    const none = { commits: 0, total: 0 };
    return reason === undefined ? { state: "waiting", ...none } : { state: "off", reason, ...none };
  }

  get status(): HistoryStatus {
    return this.#status;
  }

  /**
   * What questions about text are answered from: git itself, at the HEAD of this moment, which the reading of commits may
   * not have come to yet. Rejects with NoHistory where there is none.
   */
  async repository(): Promise<OpenRepository> {
    const opened = this.#opened;
    const head = await this.#options.head();
    const isSame =
      opened?.head.commit === head?.commit && opened?.head.gitFolder === head?.gitFolder;
    if (opened !== undefined && isSame) return opened;
    this.#opened = await openRepository(this.#options, head);
    return this.#opened;
  }

  /** A question comes: what will show its commits is started while they are ranked. */
  prepare(): void {
    const isClosed = this.#controller.signal.aborted;
    if (this.#opened !== undefined && !isClosed) this.patches.prepare(this.#opened);
  }

  /** A boundary or a branch may have moved without a notification; checked before each question. */
  lookAgain(): void {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_AGAIN_MS) return;
    this.#lookedAt = now;
    this.refresh();
  }

  /** Resolves when there is something to search, or when there will be nothing soon. */
  async firstCommits(signal: AbortSignal | undefined): Promise<void> {
    this.#isAsked = true;
    const deadline = performance.now() + FIRST_COMMITS_MS;
    const isAwaited = () =>
      this.#status.commits === 0 &&
      (this.#status.state === "waiting" || this.#status.state === "reading");
    while (isAwaited() && performance.now() < deadline && !this.#controller.signal.aborted) {
      if (!this.#running.isRunning) this.refresh();
      await delay(FIRST_COMMITS_POLL_MS, undefined, { signal });
    }
  }

  /** HEAD may be another one, or nothing has been read yet. Returns at once. */
  refresh(): void {
    if (this.#controller.signal.aborted) return;
    this.#isWanted = true;
    clearTimeout(this.#retry);
    void this.#running.run();
  }

  /** Resolves when nothing is being read. */
  async whenIdle(): Promise<void> {
    await this.#running.whenIdle();
  }

  /** Ends the reading until the next refresh; resolves when nothing is written any more. */
  async halt(): Promise<void> {
    this.#isWanted = false;
    clearTimeout(this.#retry);
    this.#current.abort();
    this.patches.close();
    await this.#running.whenIdle();
    this.#status = this.#before;
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
    const { commits, total } = this.#status;
    if (error instanceof NoHistory) {
      this.#status = { state: "unavailable", reason: error.message, commits: 0, total: 0 };
      return;
    }
    this.#status = { state: "unavailable", reason: messageOf(error), commits, total };
    if (error instanceof Unavailable) log.warn("history waits", { root, error: error.message });
    else log.error("bug in reading history", { root, error: stackOf(error) });
    this.#retry = setTimeout(() => this.refresh(), RETRY_MS);
    this.#retry.unref();
  }

  /** What is stored, against what git lists: by ancestry alone, so that moved branches and boundaries do not matter. */
  async #bringUpToDate(signal: AbortSignal): Promise<void> {
    const { limit, offReason, store: storeOf } = this.#options;
    const store = storeOf();
    if (offReason !== undefined || store === undefined) return;
    const opened = await this.#open();
    this.#opened = opened;
    await store.open();
    const mark = await this.#startFrom(store);
    const position = positionOf(opened, limit);
    if (mark.position === position && this.#status.state === "ready") return;
    const stored = new Set(await store.shas());
    if (mark.position === position) {
      this.#ready(stored.size, mark.reason);
      return;
    }
    const { shas, places, brokenBy } = await this.#list(opened, signal);
    const listed = new Set(shas);
    const removed = [...stored].filter((sha) => !listed.has(sha));
    const missing = shas.filter((sha) => !stored.has(sha));
    this.#reading(stored.size - removed.length, shas.length);
    await this.#remove(store, removed);
    if (!(await this.#readAll(store, opened, { shas: missing, places }, signal))) return;
    const isCut = brokenBy === undefined && opened.repository.shallow !== "" && shas.length < limit;
    const end = isCut ? "the clone is shallow (git fetch --unshallow)" : brokenBy;
    const reason = end === undefined ? undefined : `history ends early: ${end}`;
    const fingerprint = this.#fingerprint;
    await store.setMark({ position, fingerprint, ...(reason === undefined ? {} : { reason }) });
    this.#ready(shas.length, reason);
    if (missing.length >= TIDY_AFTER_COMMITS) await this.#tidy(signal);
  }

  /** What was read is stored and found without it. */
  async #tidy(signal: AbortSignal): Promise<void> {
    const { log, root, tidy } = this.#options;
    try {
      await tidy(signal);
    } catch (error) {
      log.warn("the database is not put in order", { root, error: messageOf(error) });
    }
  }

  /** Rows that were made in another way are thrown away. */
  async #startFrom(store: HistoryStore): Promise<HistoryMark> {
    const mark = await store.mark();
    const fingerprint = this.#fingerprint;
    if (mark?.fingerprint === fingerprint) return mark;
    if (mark !== undefined) {
      await store.clear();
      this.#options.cleared();
    }
    // Rows that are stored before the end was reached are of this fingerprint from now on.
    const start = { position: "", fingerprint };
    await store.setMark(start);
    return start;
  }

  /** HEAD may have moved, and what it named been pruned, between reading it and listing it. */
  async #list(opened: OpenRepository, signal: AbortSignal) {
    const { limit } = this.#options;
    const listing = await listCommits(opened.directory, opened.head.commit, limit, signal);
    if (listing.brokenBy !== undefined) {
      const now = await this.#options.head();
      if (now !== undefined && now.commit !== opened.head.commit) {
        throw new Unavailable("HEAD moved while its history was listed", "it is listed again");
      }
    }
    return listing;
  }

  async #open(): Promise<OpenRepository> {
    return await openRepository(this.#options, await this.#options.head());
  }

  /** What rows are made with. */
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

  /** Newest first. False when HEAD moved meanwhile: what is missing is then another list. */
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
    let next = settled(readFrom(0));
    for (let from = 0; from < missing.length; from += BATCH) {
      const read = (await next)().map((row) => withPlace(row, places.get(row.sha)));
      const rows = await this.#options.embed(read, signal);
      if (this.#isWanted) return false;
      // The next ones are read while these are stored.
      next = settled(readFrom(from + BATCH));
      await store.commit(rows, []);
      await this.#options.changed(rows, []);
      this.#reading(this.#status.commits + rows.length, this.#status.total);
    }
    return true;
  }

  #reading(commits: number, total: number): void {
    this.#status = { state: "reading", commits, total };
  }

  #ready(commits: number, reason: string | undefined): void {
    this.#status = {
      state: "ready",
      commits,
      total: commits,
      ...(reason === undefined ? {} : { reason }),
    };
  }
}

function withPlace(row: ReadCommit, place: number | undefined): ReadCommit {
  return place === undefined ? row : { ...row, place };
}

/** A result that may fail before it is awaited: the failure is thrown where it is taken. */
async function settled<T>(result: Promise<T>): Promise<() => T> {
  const [outcome] = await Promise.allSettled([result]);
  return () => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  };
}

/** What decides which commits belong to the history. */
function positionOf({ head, repository }: OpenRepository, limit: number): string {
  const boundary = createHash("sha256").update(repository.shallow).digest("hex").slice(0, 16);
  return `${head.commit} ${limit} ${boundary}`;
}
