/** One running PGlite in a worker thread, which answers in order and is terminated if an answer takes too long. */

import { Worker } from "node:worker_threads";
import { messageOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { encodeColumn } from "./binary-format.ts";
import { builtFile } from "./built-file.ts";
import { lacksFiles, whyUnusable } from "./data-folder.ts";
import type { SqlParameter } from "./database.ts";
import type { Answer, Ask, Failure } from "./pglite-worker.ts";

/** A small young generation, so that rows on their way to the database are collected soon. */
const YOUNG_MB = 8;

/** Rejects statements that ran when the database was terminated; they were rolled back and can be repeated. */
export class StoreInterrupted extends Unavailable {
  constructor(why: string) {
    super(`the database was restarted (${why})`, "try again");
  }
}

/** PGlite could not open the folder, because it is damaged or memory is missing. */
export class DidNotOpen extends Error {
  override readonly name = "DidNotOpen";
  /** False if memory was missing; the folder can then be opened later. */
  readonly blamesFiles: boolean;

  constructor({ message, name }: Failure) {
    super(message);
    this.blamesFiles = name !== RangeError.name;
  }
}

interface Waiting {
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

export class PgliteThread {
  /** Set once the thread is terminated; resolves when it no longer accesses the folder. */
  ended: Promise<unknown> | undefined;
  /** Why the thread ended. */
  why = "";
  /** Set if the thread ended because a table's file cannot be read, so that the folder cannot be trusted. */
  damage: string | undefined;

  readonly #worker: Worker;
  readonly #directory: string;
  readonly #log: Log;
  readonly #waiting: Waiting[] = [];
  #isOpen = false;
  #vectorOid = 0;

  private constructor(worker: Worker, directory: string, log: Log) {
    this.#worker = worker;
    this.#directory = directory;
    this.#log = log;
    worker.on("message", (answer: Answer) => this.#answered(answer));
    worker.on("error", (error) => this.end(messageOf(error)));
    worker.on("exit", () => this.end("its thread ended"));
    // PGlite must not print to stdout, which belongs to the protocol, or to a terminal.
    for (const stream of [worker.stdout, worker.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text: string) => log.debug("postgres", { text: text.slice(0, 500) }));
    }
  }

  /** Rejects with DidNotOpen, or StoreInterrupted when the thread itself failed or was too slow. */
  static async open(directory: string, timeoutMs: number, log: Log): Promise<PgliteThread> {
    const worker = new Worker(builtFile("pglite-worker.js"), {
      workerData: { directory },
      stdout: true,
      stderr: true,
      name: "postgres",
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const thread = new PgliteThread(worker, directory, log);
    try {
      const [ready] = (await thread.#answer(timeoutMs)) as { vectorOid: number }[];
      thread.#vectorOid = ready?.vectorOid ?? 0;
      thread.#isOpen = true;
      return thread;
    } catch (error) {
      thread.end("it did not open");
      await thread.ended;
      throw error;
    }
  }

  async ask<Row>(
    sql: string,
    parameters: readonly SqlParameter[],
    timeoutMs: number,
  ): Promise<Row[]> {
    const { encoded, bytes } = this.#encode(parameters);
    return (await this.#send({ sql, parameters: encoded }, bytes, timeoutMs)) as Row[];
  }

  /** Shuts the database down, within the time limit, and terminates the thread. */
  async close(timeoutMs: number): Promise<void> {
    try {
      await this.#send({ parameters: [] }, [], timeoutMs);
    } catch (error) {
      this.#log.warn("the database was not shut down cleanly", { error: messageOf(error) });
    }
    this.end("it was closed");
    await this.ended;
  }

  /** Terminates the thread and rejects waiting callers; the next start rolls back open transactions. */
  end(why: string): void {
    if (this.ended !== undefined) return;
    this.why = why;
    this.ended = this.#worker.terminate();
    for (let next = this.#settle(); next !== undefined; next = this.#settle()) {
      next.reject(new StoreInterrupted(why));
    }
  }

  async #send(ask: Ask, bytes: ArrayBuffer[], timeoutMs: number): Promise<unknown[]> {
    if (this.ended !== undefined) throw new StoreInterrupted(this.why);
    const answer = this.#answer(timeoutMs);
    this.#worker.postMessage(ask, bytes);
    return await answer;
  }

  #answer(timeoutMs: number): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.end(`no answer in ${timeoutMs} ms`), timeoutMs);
      this.#waiting.push({ resolve, reject, timer });
    });
  }

  #answered(answer: Answer): void {
    const waiting = this.#settle();
    if (waiting === undefined) return;
    if ("rows" in answer) waiting.resolve(answer.rows);
    else if (!this.#isOpen) waiting.reject(new DidNotOpen(answer.error));
    else this.#failed(answer.error, waiting);
  }

  #failed(failure: Failure, { reject }: Waiting): void {
    const { message, code } = failure;
    const unusable = FOLDER_ERRORS.has(code ?? "") ? whyUnusable(this.#directory) : undefined;
    if (code === "53100") {
      reject(new Unavailable(`the disk is full (${message})`, "free some space"));
    } else if (unusable !== undefined) {
      reject(unusable);
    } else if (endsSession(failure)) {
      reject(new StoreInterrupted(message));
    } else {
      reject(Object.assign(new Error(message), { code }));
      return;
    }
    if (isDamage(code, this.#directory)) this.damage = message;
    this.end(message);
  }

  #settle(): Waiting | undefined {
    const waiting = this.#waiting.shift();
    clearTimeout(waiting?.timer);
    return waiting;
  }

  #encode(parameters: readonly SqlParameter[]) {
    const bytes: ArrayBuffer[] = [];
    const encoded = parameters.map((parameter) => {
      if (parameter === null || typeof parameter !== "object") return parameter;
      const column = encodeColumn(parameter, this.#vectorOid);
      bytes.push(column.buffer as ArrayBuffer);
      return column;
    });
    return { encoded, bytes };
  }
}

/** data_corrupted, index_corrupted, undefined_file: the files of a table are damaged or missing. */
const DAMAGE: ReadonlySet<string> = new Set(["XX001", "XX002", "58P01"]);

/**
 * insufficient_privilege, wrong_object_type and internal_error: among others, for a file that cannot be opened because the
 * folder is read-only, was replaced by a file, or is on a disk that was removed.
 */
const FOLDER_ERRORS: ReadonlySet<string> = new Set(["42501", "42809", "XX000"]);

/**
 * Reported if the folder was deleted while the database is open. Also reported if a new file could not be opened for lack
 * of file handles, because Postgres then creates it a second time.
 */
const DUPLICATE_FILE = "58P02";

function isDamage(code: string | undefined, directory: string): boolean {
  if (code === DUPLICATE_FILE) return lacksFiles(directory);
  return code !== undefined && DAMAGE.has(code);
}

/** After these errors PGlite never answers the next statement, or its memory cannot be trusted. */
function endsSession({ code, severity }: Failure): boolean {
  // An error without a code comes from the WebAssembly runtime, not from Postgres.
  if (code === undefined || severity === "FATAL" || severity === "PANIC") return true;
  return DAMAGE.has(code) || code === DUPLICATE_FILE || code.startsWith("57P") || code === "58030";
}
