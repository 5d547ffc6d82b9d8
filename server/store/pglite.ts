/** Adapter for the built-in database: PGlite in a thread, with a watchdog, restarts, checkpoints and recovery from damage. */

import { messageOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { SerialQueue } from "../common/serial-queue.ts";
import { isEmpty, isIncomplete, makeDatabase, moveAside, whyUnusable } from "./data-folder.ts";
import { type Database, isMissingTable, type Queryable, type SqlParameter } from "./database.ts";
import { DidNotOpen, PgliteThread, StoreInterrupted } from "./pglite-thread.ts";

/** Statements take tenths of a second; after a FATAL error or on a full disk PGlite never answers. */
const WATCHDOG_MS = 30_000;
/** For creating the database, migrations, vacuum and checkpoints. */
const MAINTENANCE_TIMEOUT_MS = 120_000;
/** A clean shutdown takes 20 ms. Without one, committed data is safe too. */
const CLOSE_TIMEOUT_MS = 5_000;
/** PGlite never checkpoints by itself; without this, its log would grow without bound. */
const CHECKPOINT_BYTES = 50_000_000;
/** Exponential backoff between attempts to open the database. */
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** Damage that recurs sooner suggests a failing disk, so the database is not rebuilt again. */
const MIN_DAMAGE_INTERVAL_MS = 600_000;

export interface PgliteOptions {
  readonly directory: string;
  readonly log: Log;
  readonly watchdogMs?: number;
  /** Called with a message for the user when stored data was lost. */
  readonly notify?: (notice: string) => void;
  /** Runs in a transaction after each opening; the database may be new. */
  readonly prepare?: (tx: Queryable, place: string) => Promise<void>;
}

export class PgliteDatabase implements Database {
  readonly place: string;
  readonly #options: PgliteOptions;
  readonly #watchdogMs: number;
  #thread: PgliteThread | undefined;
  /** One statement or transaction at a time: PGlite has one session. */
  readonly #queue = new SerialQueue();
  #written = 0;
  #failure: { readonly error: Unavailable; readonly until: number } | undefined;
  #retryMs = MIN_RETRY_MS;
  #damagedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: PgliteOptions) {
    this.#options = options;
    this.#watchdogMs = options.watchdogMs ?? WATCHDOG_MS;
    this.place = options.directory;
  }

  query<Row>(sql: string, parameters: readonly SqlParameter[] = []): Promise<Row[]> {
    return this.#queue.run(async () => {
      const thread = await this.#running();
      return await this.#ask<Row>(thread, sql, parameters);
    });
  }

  transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#queue.run(async () => await this.#transact(await this.#running(), run));
  }

  /** Vacuums one table at a time, so that a search waits for at most one. */
  async vacuum(tables: readonly string[]): Promise<void> {
    for (const table of tables) {
      try {
        await this.#maintain(`vacuum analyze ${table}`);
      } catch (error) {
        if (!isMissingTable(error)) throw error;
      }
    }
    await this.#checkpoint();
  }

  /** Shuts the thread down cleanly, between two statements. */
  async suspend(): Promise<void> {
    await this.#queue.run(async () => {
      const thread = this.#thread;
      if (thread === undefined || thread.ended !== undefined) return;
      await thread.close(CLOSE_TIMEOUT_MS);
      this.#thread = undefined;
    });
  }

  async close(): Promise<void> {
    await this.#queue.run(async () => {
      this.#closed = true;
      if (this.#thread?.ended === undefined) await this.#thread?.close(CLOSE_TIMEOUT_MS);
      await this.#thread?.ended;
    });
  }

  /** Sends all statements to the thread of `begin`; after a restart, a statement would be committed on its own. */
  async #transact<T>(
    thread: PgliteThread,
    run: (tx: Queryable) => Promise<T>,
    timeoutMs = this.#watchdogMs,
  ): Promise<T> {
    let isOver = false;
    const tx: Queryable = {
      query: async (sql, parameters = []) => {
        if (isOver) throw new Error("a statement was sent after the end of its transaction");
        return await this.#ask(thread, sql, parameters, timeoutMs);
      },
    };
    await tx.query("begin");
    try {
      const result = await run(tx);
      await tx.query("commit");
      return result;
    } catch (error) {
      // If the thread has ended, the transaction is already rolled back.
      if (thread.ended === undefined) await this.#rollBack(thread);
      throw error;
    } finally {
      isOver = true;
    }
  }

  async #rollBack(thread: PgliteThread): Promise<void> {
    try {
      await this.#ask(thread, "rollback", []);
    } catch (error) {
      thread.end(`a transaction could not be rolled back: ${messageOf(error)}`);
    }
  }

  async #ask<Row>(
    thread: PgliteThread,
    sql: string,
    parameters: readonly SqlParameter[],
    timeoutMs = this.#watchdogMs,
  ): Promise<Row[]> {
    const rows = await thread.ask<Row>(sql, parameters, timeoutMs);
    this.#written += sizeOf(parameters);
    if (this.#written > CHECKPOINT_BYTES) this.#checkpointSoon();
    return rows;
  }

  #maintain(sql: string): Promise<unknown> {
    return this.#queue.run(
      async () => await (await this.#running()).ask(sql, [], MAINTENANCE_TIMEOUT_MS),
    );
  }

  async #checkpoint(): Promise<void> {
    this.#written = 0;
    await this.#maintain("checkpoint");
  }

  /** Queues a checkpoint. It does not delay the current statement, and its failure does not affect committed data. */
  #checkpointSoon(): void {
    this.#checkpoint().catch((error: unknown) =>
      this.#options.log.warn("a checkpoint failed", { error: messageOf(error) }),
    );
  }

  /** The running thread; starts a new one if it has ended. */
  async #running(): Promise<PgliteThread> {
    const [thread, failure] = [this.#thread, this.#failure];
    if (this.#closed) throw new Unavailable("the database is closed", "start the engine again");
    if (thread !== undefined && thread.ended === undefined) return thread;
    // Two threads on one folder would corrupt it silently.
    await thread?.ended;
    if (failure !== undefined && performance.now() < failure.until) throw failure.error;
    try {
      if (thread !== undefined)
        this.#options.log.warn("the database is restarted", { why: thread.why });
      const opened = await this.#open();
      this.#failure = undefined;
      this.#retryMs = MIN_RETRY_MS;
      return opened;
    } catch (error) {
      throw this.#remember(error);
    }
  }

  #remember(error: unknown): Unavailable {
    const unavailable =
      error instanceof Unavailable
        ? error
        : new Unavailable(
            `cannot open the database ${this.place} (${messageOf(error)})`,
            "see the log, or set COCOSEARCH_HOME to another folder",
            { cause: error },
          );
    this.#failure = { error: unavailable, until: performance.now() + this.#retryMs };
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
    return unavailable;
  }

  /** Moves a damaged folder aside and starts with a new one. A folder that is only unreadable or unwritable is kept. */
  async #open(): Promise<PgliteThread> {
    const { directory } = this.#options;
    try {
      const damage = this.#thread?.damage;
      if (damage !== undefined) return await this.#startWithout(damage);
      if (isIncomplete(directory)) this.#moveDamagedAside("files are missing");
      return await this.#start();
    } catch (error) {
      const damage = this.#thread?.damage;
      if (damage !== undefined) return await this.#startWithout(damage);
      if (error instanceof Unavailable && !(error instanceof StoreInterrupted)) throw error;
      const reason = whyUnusable(directory);
      if (reason !== undefined) throw reason;
      if (!(error instanceof DidNotOpen) || !error.blamesFiles) throw error;
      this.#moveDamagedAside(error.message);
      return await this.#start();
    }
  }

  /** Starts after damage, which may also be found while an opened database is prepared. */
  async #startWithout(damage: string): Promise<PgliteThread> {
    const thread = this.#thread;
    await thread?.ended;
    if (isEmpty(this.#options.directory)) this.#noticeDeletion(damage);
    else this.#moveDamagedAside(damage);
    // Cleared only after the folder was moved aside.
    if (thread !== undefined) thread.damage = undefined;
    return await this.#start();
  }

  async #start(): Promise<PgliteThread> {
    const { directory, log, prepare } = this.#options;
    if (isEmpty(directory)) await makeDatabase(directory, MAINTENANCE_TIMEOUT_MS);
    const thread = await PgliteThread.open(directory, MAINTENANCE_TIMEOUT_MS, log);
    this.#thread = thread;
    this.#written = 0;
    if (prepare === undefined) return thread;
    try {
      await this.#transact(thread, (tx) => prepare(tx, this.place), MAINTENANCE_TIMEOUT_MS);
      return thread;
    } catch (error) {
      thread.end("it could not be prepared");
      throw error;
    }
  }

  /** The folder was deleted while the database was open, so there is nothing to move aside. */
  #noticeDeletion(why: string): void {
    const { directory, log, notify } = this.#options;
    log.error("the database was deleted and is rebuilt", { why });
    notify?.(`the database in ${directory} was deleted while it was in use, and is rebuilt`);
  }

  #moveDamagedAside(why: string): void {
    const { directory, log, notify } = this.#options;
    if (performance.now() - this.#damagedAt < MIN_DAMAGE_INTERVAL_MS) {
      throw new Unavailable(
        `the database ${directory} was damaged again soon after it was rebuilt (${why})`,
        "check the disk, or set COCOSEARCH_HOME to a folder on another one",
      );
    }
    this.#damagedAt = performance.now();
    const aside = moveAside(directory);
    log.error("the database was damaged and is rebuilt", { why, aside });
    notify?.(`the database was damaged (${why}) and is rebuilt; the old one is in ${aside}`);
  }
}

function sizeOf(parameters: readonly SqlParameter[]): number {
  let bytes = 0;
  for (const parameter of parameters) {
    if (parameter === null || typeof parameter !== "object") continue;
    for (const value of parameter.values) {
      if (typeof value === "string") bytes += value.length;
      else if (typeof value === "object" && value !== null) bytes += value.byteLength;
    }
  }
  return bytes;
}
