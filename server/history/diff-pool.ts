/** A pool of git processes that print the diffs of commits in parallel, and exit after some idle seconds. */

import { availableParallelism } from "node:os";
import type { GitDirectory } from "../contracts/history.ts";
import { DiffProcess } from "./diff-process.ts";

/** Git takes 1 to 3 ms per commit of a large repository. At least two, so that one that hangs does not block the queue. */
const PROCESSES = Math.max(2, Math.min(4, availableParallelism()));
/** Processes exit after this time without a request. */
const IDLE_MS = 15_000;
/** The process is killed if one commit takes longer. */
const COMMIT_MS = 8_000;

/** `output` is undefined if git cannot show the commit, or if no caller waits for it any more. `isLate`: it took too long. */
type Diff = { readonly output: string | undefined; readonly isLate: boolean };

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

  /** The number of running processes. */
  get size(): number {
    return this.#free.length + this.#busy.size;
  }

  /** Starts the processes ahead of a request, so that git opens the repository while commits are ranked. */
  prepare(): void {
    while (!this.#isClosed && this.size < PROCESSES) {
      this.#free.push(new DiffProcess(this.#directory));
    }
    this.#scheduleIdle();
  }

  /** `isWanted` is asked when the commit's turn comes; if false, it is skipped. A diff that has begun is completed. */
  async show(sha: string, isWanted: () => boolean): Promise<Diff> {
    if (this.#isClosed) return NOTHING;
    return await new Promise((resolve) => {
      this.#queue.push({ sha, isWanted, resolve });
      if (this.#busy.size < PROCESSES) void this.#work();
    });
  }

  /** Resolves queued requests without output and kills the processes. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    for (const process of [...this.#free.splice(0), ...this.#busy]) process.end();
    for (const job of this.#queue.splice(0)) job.resolve(NOTHING);
  }

  /** Serves the queue with one process until it is empty. */
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
        // Retry once: the process may have died, or may not see objects that were repacked since it started.
        process = this.#replace(process);
        diff = await this.#show(process, job.sha);
      }
      job.resolve(diff);
    }
    this.#busy.delete(process);
    if (process.isAlive) this.#free.push(process);
    this.#scheduleIdle();
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

  #scheduleIdle(): void {
    clearTimeout(this.#idle);
    if (this.#isClosed) return;
    this.#idle = setTimeout(() => {
      for (const process of this.#free.splice(0)) process.end();
    }, this.#idleMs);
    this.#idle.unref();
  }
}
