/** The built-in database: PGlite in a worker thread, with a watchdog that ends the thread when it does not answer. */

import { execFile } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { messageOf, Unavailable } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Database, Parameter, Queryable } from "./database.ts";
import type { Answer, Ask } from "./pglite-worker.ts";

/** A statement of ours takes tenths of a second; what takes this long spins for ever (storage.md, FATAL and full disks). */
const WATCHDOG_MS = 30_000;
/** Making the database, vacuum and checkpoints may take longer. */
const PATIENT_MS = 180_000;
/** PGlite never checkpoints by itself: without this its log grows for ever. */
const CHECKPOINT_BYTES = 50_000_000;
/** Rows on their way in are collected soon. */
const YOUNG_MB = 8;
/** Attempts to open are at least this far apart while they fail. */
const REOPEN_MS = 1_000;

export interface PgliteOptions {
  readonly directory: string;
  readonly log: Log;
  readonly watchdogMs?: number;
}

/** What was under way when the database had to be ended; it was rolled back and may be done again. */
export class StoreInterrupted extends Unavailable {
  constructor(why: string) {
    super(`the database was started again (${why})`, "it is tried again by itself");
  }
}

interface Pending {
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/** A running thread and what it was asked. */
interface Running {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
}

export class PgliteDatabase implements Database {
  readonly place: string;
  private readonly options: PgliteOptions;
  private running: Running | undefined;
  /** One statement or transaction at a time: PGlite has one session. */
  private turn: Promise<unknown> = Promise.resolve();
  private nextId = 1;
  private written = 0;
  private failedAt = 0;
  private failure: Unavailable | undefined;
  private closed = false;

  constructor(options: PgliteOptions) {
    this.options = options;
    this.place = options.directory;
  }

  query<Row>(sql: string, parameters: readonly Parameter[] = []): Promise<Row[]> {
    return this.inTurn(async () => {
      const rows = await this.ask<Row>(sql, parameters);
      await this.keepHouse();
      return rows;
    });
  }

  transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.inTurn(async () => {
      await this.ask("begin");
      const thread = this.running;
      try {
        const result = await run({ query: (sql, parameters) => this.ask(sql, parameters) });
        await this.ask("commit");
        await this.keepHouse();
        return result;
      } catch (error) {
        // A thread that was ended took the transaction along.
        if (this.running === thread && thread !== undefined) await this.ask("rollback");
        throw error;
      }
    });
  }

  tidy(): Promise<void> {
    return this.inTurn(async () => {
      await this.ask("vacuum analyze", [], PATIENT_MS);
      await this.checkpoint();
    });
  }

  async close(): Promise<void> {
    await this.inTurn(async () => {
      this.closed = true;
      const { running } = this;
      this.running = undefined;
      await running?.worker.terminate();
    });
  }

  private inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.turn.then(run);
    // A failure belongs to whoever asked; the next in line goes on.
    this.turn = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  private async ask<Row>(
    sql: string,
    parameters: readonly Parameter[] = [],
    patienceMs = this.options.watchdogMs ?? WATCHDOG_MS,
  ): Promise<Row[]> {
    const running = this.running ?? (await this.start());
    this.written += sizeOf(parameters);
    return (await this.send(running, this.nextId++, { sql, parameters }, patienceMs)) as Row[];
  }

  private send(
    running: Running,
    id: number,
    ask: Omit<Ask, "id"> | undefined,
    patienceMs: number,
  ): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.end(`no answer in ${patienceMs} ms`), patienceMs);
      running.pending.set(id, { resolve, reject, timer });
      if (ask !== undefined) running.worker.postMessage({ id, ...ask });
    });
  }

  private async keepHouse(): Promise<void> {
    if (this.written > CHECKPOINT_BYTES) await this.checkpoint();
  }

  private async checkpoint(): Promise<void> {
    this.written = 0;
    await this.ask("checkpoint", [], PATIENT_MS);
  }

  private async start(): Promise<Running> {
    if (this.closed) throw new Unavailable("the database is closed", "the engine is leaving");
    if (this.failure !== undefined && Date.now() - this.failedAt < REOPEN_MS) throw this.failure;
    try {
      return await this.open();
    } catch (error) {
      if (looksDamaged(this.options.directory, error)) {
        setAside(this.options.directory, this.options.log);
        return await this.open();
      }
      this.failedAt = Date.now();
      this.failure = new Unavailable(
        `the database in ${this.options.directory} does not open (${messageOf(error)})`,
        "free some disk space or set COCOSEARCH_HOME to another folder",
        { cause: error },
      );
      throw this.failure;
    }
  }

  private async open(): Promise<Running> {
    const { directory, log } = this.options;
    if (isIncomplete(directory)) setAside(directory, log);
    if (isEmpty(directory)) await initdb(directory);
    const worker = new Worker(builtFile("pglite-worker.js"), {
      workerData: { directory },
      stdout: true,
      stderr: true,
      name: "postgres",
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const running: Running = { worker, pending: new Map() };
    worker.on("message", (answer: Answer) => this.answered(running, answer));
    worker.on("error", (error) => this.end(messageOf(error), running));
    worker.on("exit", () => this.end("its thread ended", running));
    this.running = running;
    try {
      await this.send(running, 0, undefined, PATIENT_MS);
    } catch (error) {
      this.running = undefined;
      await worker.terminate();
      throw error;
    }
    this.failure = undefined;
    return running;
  }

  private answered(running: Running, answer: Answer): void {
    const pending = running.pending.get(answer.id);
    if (pending === undefined) return;
    running.pending.delete(answer.id);
    clearTimeout(pending.timer);
    if (!("error" in answer)) {
      pending.resolve(answer.rows);
      return;
    }
    const { message, code } = answer.error;
    pending.reject(Object.assign(new Error(message), code === undefined ? {} : { code }));
    if (answer.id !== 0 && isPoison(message, code)) this.end(message, running);
  }

  /** Ends the thread: what was under way is rolled back and its callers told. The next statement starts another. */
  private end(why: string, running = this.running): void {
    if (running === undefined || running !== this.running) return;
    this.running = undefined;
    this.options.log.warn("the database is started again", { why });
    for (const { reject, timer } of running.pending.values()) {
      clearTimeout(timer);
      reject(new StoreInterrupted(why));
    }
    running.pending.clear();
    // Termination cannot fail in a way that matters: a thread that is gone is what is wanted.
    void running.worker.terminate();
  }
}

/** After these the session spins at the next statement: disk full, and whatever ends a backend. */
function isPoison(message: string, code: string | undefined): boolean {
  if (code === undefined) return /Aborted|unreachable|memory access|FATAL|PANIC/.test(message);
  return code === "53100" || code.startsWith("57P") || code.startsWith("XX") || code === "25P03";
}

function isEmpty(directory: string): boolean {
  return !existsSync(directory) || readdirSync(directory).length === 0;
}

/** Made beside and renamed, so that a start that is cut short leaves nothing half made. */
async function initdb(directory: string): Promise<void> {
  const draft = `${directory}.new`;
  rmSync(draft, { recursive: true, force: true });
  try {
    await promisify(execFile)(process.execPath, [builtFile("initdb.js"), draft], {
      timeout: PATIENT_MS,
    });
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    const reason = /^\s*\w*Error: .*$/m.exec(stderr ?? "")?.[0]?.trim();
    throw new Error(reason ?? messageOf(error).slice(0, 200), { cause: error });
  }
  rmSync(directory, { recursive: true, force: true });
  renameSync(draft, directory);
}

/** PGlite silently makes a new database over one without PG_VERSION. */
function isIncomplete(directory: string): boolean {
  if (isEmpty(directory)) return false;
  return ["PG_VERSION", "global/pg_control"].some((file) => !existsSync(join(directory, file)));
}

/** What a full disk or missing rights refuse is not damaged. */
function looksDamaged(directory: string, error: unknown): boolean {
  if (!existsSync(join(directory, "PG_VERSION"))) return false;
  if (/ENOSPC|EACCES|EPERM|EROFS|No space left|53100/i.test(messageOf(error))) return false;
  return /Aborted|failed to initialize|invalid|corrupt|could not/i.test(messageOf(error));
}

function setAside(directory: string, log: Log): void {
  const aside = `${directory}.damaged-${Date.now()}`;
  renameSync(directory, aside);
  log.error("the database was damaged and is made anew", { aside });
}

function sizeOf(parameters: readonly Parameter[]): number {
  let bytes = 0;
  for (const parameter of parameters) {
    if (typeof parameter === "string" || Buffer.isBuffer(parameter)) bytes += parameter.length;
  }
  return bytes;
}

/** Threads and processes run what was built, also where the sources themselves are run, in tests. */
function builtFile(name: string): string {
  const own = import.meta.url;
  return fileURLToPath(
    new URL(own.endsWith(".ts") ? `../../dist/store/${name}` : `./${name}`, own),
  );
}
