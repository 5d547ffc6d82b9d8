/** A pool of worker threads that take several jobs each, with a limit on the processor time of a job. */

import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { messageOf, Unavailable } from "../../common/errors.ts";
import { FairScheduler } from "../../common/fair-scheduler.ts";
import type { Log } from "../../common/log.ts";
import { JobMeter } from "../../common/processor-time.ts";
import { Semaphore } from "../../common/semaphore.ts";
import { type TimeLimit, withTimeLimit } from "../../common/time-limit.ts";
import type { Metered } from "../../contracts/preparer.ts";

/** A small young generation is collected early: 100 MB less per thread, no slower (10 thousand chunks). */
const YOUNG_MB = 8;

export interface ThreadOptions {
  readonly threads: number;
  readonly jobsPerThread: number;
  /** An idle thread ends after this, which frees the memory of its grammars. */
  readonly idleMs: number;
  /** Priority below the engine's own thread, as a `nice` increment. */
  readonly nice: number;
  readonly workerData: unknown;
}

export interface JobLimit {
  /** Wall-clock limit, for a job that waits forever. */
  readonly ms: number;
  /** Limit on the processor time of the job's thread; without it, only the wall clock counts. */
  readonly processorMs?: number;
}

/** A job, and the workspace that it belongs to. */
export interface ThreadJob {
  readonly root: string;
}

/** Minimum interval between two readings of a job's processor time. */
const MIN_LOOK_MS = 50;

type LoadBalancer = NonNullable<
  NonNullable<ConstructorParameters<typeof Piscina>[0]>["loadBalancer"]
>;

interface Threads {
  readonly pool: Piscina;
  /** Why no thread could start. */
  failure?: unknown;
}

export class JobThreads {
  readonly #options: ThreadOptions;
  readonly #log: Log;
  /** Limits the jobs in the pool: jobs queued in Piscina never settle when its threads end. */
  readonly #queueSlots: FairScheduler;
  readonly #threadSlots: Semaphore;
  #threads: Threads;
  #isClosed = false;

  constructor(options: ThreadOptions, log: Log) {
    this.#options = options;
    this.#log = log;
    this.#queueSlots = new FairScheduler(options.threads * options.jobsPerThread);
    this.#threadSlots = new Semaphore(options.threads);
    this.#threads = this.#start();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether a job is running or queued. */
  get isBusy(): boolean {
    return this.#queueSlots.size > 0;
  }

  /**
   * Resolves to the result of the function `name` of the worker file. Rejects with `TimeLimitExceeded` after the
   * limit, which excludes the time in the queue; with the signal's reason; when the job's thread ends; and when the
   * pool is closed. Cancelling a job ends its thread and all other jobs of that thread. Workspaces get equal shares
   * of the threads' time.
   */
  async run<T>(name: string, job: ThreadJob, limit: JobLimit, signal?: AbortSignal): Promise<T> {
    const meter = new JobMeter();
    const sent: Metered<ThreadJob> = { ...job, meter: meter.memory };
    const ask = async (ending: AbortSignal) => {
      const threads = this.#threads;
      try {
        return await threads.pool.run(sent, { name, signal: ending });
      } catch (error) {
        throw threads.failure ?? error;
      }
    };
    return await this.#queueSlots.during(job.root, async (place) => {
      signal?.throwIfAborted();
      if (this.#isClosed) throw new Error("the worker threads have ended");
      return await this.#threadSlots.during(async (begins) => {
        let begunAt: number | undefined;
        void begins.then(() => {
          begunAt = performance.now();
        });
        const timed = timeLimitOf(limit, meter, () => begunAt);
        try {
          return await withTimeLimit(timed, [signal], ask, begins);
        } finally {
          if (begunAt !== undefined) place.use(performance.now() - begunAt);
        }
      });
    });
  }

  /** Ends idle threads; the next job starts new ones. */
  async rest(): Promise<void> {
    if (this.isBusy) return;
    const { pool } = this.#threads;
    this.#threads = this.#start();
    await pool.destroy();
  }

  /** Ends all threads and their jobs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#threads.pool.destroy();
  }

  #start(): Threads {
    const threads: Threads = { pool: createPool(this.#options) };
    threads.pool.on("error", (error) => this.#broke(threads, error));
    return threads;
  }

  /** Handles a thread that ended before its first job. If it was the only one, jobs would wait for it forever. */
  #broke(threads: Threads, error: unknown): void {
    this.#log.warn("a worker thread crashed", { error: messageOf(error) });
    if (this.#isClosed || this.#threads !== threads || threads.pool.threads.length > 0) return;
    threads.failure = startFailure(error);
    this.#threads = this.#start();
    void threads.pool.destroy();
  }
}

function timeLimitOf(
  { ms, processorMs = ms }: JobLimit,
  meter: JobMeter,
  begunAt: () => number | undefined,
): TimeLimit {
  const first = Math.min(ms, processorMs);
  const leftMs = () => {
    const now = performance.now();
    const left = Math.min((begunAt() ?? now) + ms - now, processorMs - meter.usedMs);
    return left <= 0 ? 0 : Math.max(left, MIN_LOOK_MS);
  };
  return { ms: first, leftMs };
}

/** Unavailable, so that no file is blamed for it: a thread needs memory, file descriptors and a process slot to start. */
function startFailure(error: unknown): Unavailable {
  return new Unavailable(
    `the engine cannot start a thread (${messageOf(error)})`,
    "raise the limits of open files and of processes (ulimit -n, ulimit -u) where the editor is started, and run cocosearch-lsp doctor --restart there",
    { cause: error },
  );
}

function createPool(options: ThreadOptions): Piscina {
  return new Piscina({
    filename: workerFile(),
    minThreads: 0,
    maxThreads: options.threads,
    concurrentTasksPerWorker: options.jobsPerThread,
    loadBalancer: leastBusy(options.jobsPerThread),
    idleTimeout: options.idleMs,
    niceIncrement: options.nice,
    workerData: options.workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    recordTiming: false,
  });
}

/**
 * Chooses the thread with the fewest jobs. Piscina's default gives a thread with an abortable job no second one, so
 * it idles while the engine's thread is too busy to send the next (rails: a sixth of the time).
 */
function leastBusy(jobsPerThread: number): LoadBalancer {
  return (_job, threads) => {
    let [found, fewest]: [ReturnType<LoadBalancer>, number] = [null, jobsPerThread];
    for (const thread of threads) {
      // Piscina reports an infinite usage for a thread with an abortable job.
      const jobs = thread.isRunningAbortableTask ? 1 : thread.currentUsage;
      if (jobs < fewest) [found, fewest] = [thread, jobs];
    }
    return found;
  };
}

/** Threads run the built file, also in tests that run the sources. */
function workerFile(): string {
  const own = import.meta.url;
  return fileURLToPath(
    new URL(own.endsWith(".ts") ? "../../../dist/worker.js" : "../../worker.js", own),
  );
}
