/** Worker threads that take several jobs each, with a limit of the processor time that a job may take. */

import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { isErrorCode, messageOf, Unavailable, withRemedy } from "../../common/errors.ts";
import { FairTurns } from "../../common/fair-turns.ts";
import type { Log } from "../../common/log.ts";
import { JobMeter } from "../../common/processor-time.ts";
import { type TimeLimit, withTimeLimit } from "../../common/time-limit.ts";
import { Turns } from "../../common/turns.ts";
import type { Metered } from "../../contracts/preparer.ts";

/** A small young generation is collected soon: 100 MB less per thread, no slower (10 thousand chunks). */
const YOUNG_MB = 8;

export interface ThreadOptions {
  readonly threads: number;
  readonly jobsPerThread: number;
  /** After this time without a job a thread ends, and frees the memory of its grammars. */
  readonly idleMs: number;
  /** By how much they stand back behind the engine's own thread, as `nice` counts. */
  readonly nice: number;
  readonly workerData: unknown;
}

export interface JobLimit {
  /** Time on the clock, for a job that waits for something that never comes. */
  readonly ms: number;
  /** Processor time of the job's thread; where it is missing only the clock counts. */
  readonly processorMs?: number;
}

/** A job, and the workspace that it is for. */
export interface ThreadJob {
  readonly root: string;
}

/** Between two looks at the processor time of a job that may have used it up. */
const MIN_LOOK_MS = 50;

type LoadBalancer = NonNullable<
  NonNullable<ConstructorParameters<typeof Piscina>[0]>["loadBalancer"]
>;

interface Threads {
  readonly pool: Piscina;
  /** Why none of them could be started. */
  failure?: unknown;
}

export class JobThreads {
  readonly #options: ThreadOptions;
  readonly #log: Log;
  /** Of the jobs that the threads have: those that would wait in the pool wait for ever there when its threads end. */
  readonly #places: FairTurns;
  readonly #turns: Turns;
  #threads: Threads;
  #isClosed = false;

  constructor(options: ThreadOptions, log: Log) {
    this.#options = options;
    this.#log = log;
    this.#places = new FairTurns(options.threads * options.jobsPerThread);
    this.#turns = new Turns(options.threads);
    this.#threads = this.#start();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether any job is under way, or waits. */
  get isBusy(): boolean {
    return this.#places.size > 0;
  }

  /**
   * Resolves to what the function `name` of the worker's file makes of `job`. Rejects with `TimeLimitExceeded` after the
   * limit, of which the time that the job waits for those before it is no part; with the signal's reason; where the job's
   * thread ends; and when it is closed. A job that is given up ends its thread, and all other jobs of it. Workspaces have
   * equal shares of the threads' time.
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
    return await this.#places.during(job.root, async (place) => {
      signal?.throwIfAborted();
      if (this.#isClosed) throw new Error("the worker threads have ended");
      return await this.#turns.during(async (begins) => {
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

  /** Ends the threads, unless they have something to do; the next job starts others. */
  async rest(): Promise<void> {
    if (this.isBusy) return;
    const { pool } = this.#threads;
    this.#threads = this.#start();
    await pool.destroy();
  }

  /** Ends the threads with what they do. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#threads.pool.destroy();
  }

  #start(): Threads {
    const threads: Threads = { pool: createPool(this.#options) };
    threads.pool.on("error", (error) => this.#broke(threads, error));
    return threads;
  }

  /** A thread ended before it had a job. Where it was the only one, jobs would wait for it. */
  #broke(threads: Threads, error: unknown): void {
    this.#log.warn("a worker broke", { error: messageOf(error) });
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

/** A thread opens files when it starts, and so does the system for it. */
function startFailure(error: unknown): unknown {
  if (!isErrorCode(error, "ERR_WORKER_INIT_FAILED")) return withRemedy(error);
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
 * The thread with the fewest jobs. Piscina's own choice gives a thread no second job where one can be aborted, as all
 * of ours can; such a thread sleeps whenever the engine's own thread is too busy to hand it the next one (rails: a sixth
 * of the time).
 */
function leastBusy(jobsPerThread: number): LoadBalancer {
  return (_job, threads) => {
    let [found, fewest]: [ReturnType<LoadBalancer>, number] = [null, jobsPerThread];
    for (const thread of threads) {
      // The usage of a thread with one job that can be aborted is infinite.
      const jobs = thread.isRunningAbortableTask ? 1 : thread.currentUsage;
      if (jobs < fewest) [found, fewest] = [thread, jobs];
    }
    return found;
  };
}

/** Threads run what was built, also where the sources themselves are run, in tests. */
function workerFile(): string {
  const own = import.meta.url;
  return fileURLToPath(
    new URL(own.endsWith(".ts") ? "../../../dist/worker.js" : "../../worker.js", own),
  );
}
