/** Some git processes that show commits side by side, and end when nobody has asked for a while. */

import { availableParallelism } from "node:os";
import type { GitDirectory } from "../contracts/history.ts";
import { DiffProcess } from "./diff-process.ts";

/** Git needs 1 to 3 ms for each commit of a large repository: they are shared among these many processes. Two, so that one that hangs does not stop the others. */
const PROCESSES = Math.max(2, Math.min(4, availableParallelism()));
/** Who asks again within this time finds them running. */
const IDLE_MS = 15_000;
/** A commit that takes longer is given up, and its process ended. */
const COMMIT_MS = 8_000;

/** The output of git; undefined where it cannot show the commit, or where nobody waits for it any more. */
export type Diff = { readonly output: string | undefined; readonly isLate: boolean };

const NOTHING: Diff = { output: undefined, isLate: false };

interface Job {
  readonly sha: string;
  isWanted(): boolean;
  resolve(diff: Diff): void;
}

export interface DiffPoolOptions {
  readonly directory: GitDirectory;
  readonly commitMs?: number;
  readonly idleMs?: number;
}

export class DiffPool {
  readonly #directory: GitDirectory;
  readonly #commitMs: number;
  readonly #idleMs: number;
  readonly #queue: Job[] = [];
  readonly #free: DiffProcess[] = [];
  readonly #busy = new Set<DiffProcess>();
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ directory, commitMs = COMMIT_MS, idleMs = IDLE_MS }: DiffPoolOptions) {
    this.#directory = directory;
    this.#commitMs = commitMs;
    this.#idleMs = idleMs;
  }

  /** The processes that run. */
  get size(): number {
    return this.#free.length + this.#busy.size;
  }

  /** For a question that comes soon: git opens the repository while its commits are ranked. */
  prepare(): void {
    while (!this.#isClosed && this.size < PROCESSES) {
      this.#free.push(new DiffProcess(this.#directory));
    }
    this.#restSoon();
  }

  /** A commit that nobody waits for when its turn comes is passed over; one that was begun is shown to its end. */
  async show(sha: string, isWanted: () => boolean): Promise<Diff> {
    if (this.#isClosed) return NOTHING;
    return await new Promise((resolve) => {
      this.#queue.push({ sha, isWanted, resolve });
      if (this.#busy.size < PROCESSES) void this.#work();
    });
  }

  /** What is queued or being shown is given up. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    for (const process of [...this.#free.splice(0), ...this.#busy]) process.end();
    for (const job of this.#queue.splice(0)) job.resolve(NOTHING);
  }

  /** Shows what is queued until nothing is. */
  async #work(): Promise<void> {
    clearTimeout(this.#idle);
    let process = this.#take(this.#free.pop());
    for (let job = this.#queue.shift(); job !== undefined; job = this.#queue.shift()) {
      if (!job.isWanted()) {
        job.resolve(NOTHING);
        continue;
      }
      if (!process.isAlive) process = this.#replace(process);
      let diff = await this.#show(process, job.sha);
      if (diff.output === undefined && !diff.isLate && !this.#isClosed) {
        // It may have died, or have been started before the objects were packed again.
        process = this.#replace(process);
        diff = await this.#show(process, job.sha);
      }
      job.resolve(diff);
    }
    this.#busy.delete(process);
    if (process.isAlive) this.#free.push(process);
    this.#restSoon();
  }

  #take(known: DiffProcess | undefined): DiffProcess {
    const process = known?.isAlive === true ? known : new DiffProcess(this.#directory);
    this.#busy.add(process);
    return process;
  }

  #replace(process: DiffProcess): DiffProcess {
    this.#busy.delete(process);
    process.end();
    return this.#take(undefined);
  }

  async #show(process: DiffProcess, sha: string): Promise<Diff> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      process.end();
    }, this.#commitMs);
    const output = await process.show(sha);
    clearTimeout(timer);
    return { output, isLate };
  }

  #restSoon(): void {
    clearTimeout(this.#idle);
    if (this.#isClosed) return;
    this.#idle = setTimeout(() => {
      for (const process of this.#free.splice(0)) process.end();
    }, this.#idleMs);
    this.#idle.unref();
  }
}
