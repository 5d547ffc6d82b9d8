/**
 * The worker threads for preparing files, reading commits and looking through whole files: a job that hangs or crashes costs
 * a worker, not the engine.
 */

import { availableParallelism } from "node:os";
import { Unavailable } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { SerialQueue } from "../../common/serial-queue.ts";
import { TimeLimitExceeded } from "../../common/time-limit.ts";
import type { CommitReader } from "../../contracts/history.ts";
import type { PrepareJob, PrepareResult, Preparer } from "../../contracts/preparer.ts";
import type { Scanner } from "../../contracts/scanner.ts";
import { type JobLimit, JobThreads, type ThreadJob, type ThreadOptions } from "./job-threads.ts";
import { prepareWithFallback } from "./prepare-with-fallback.ts";

/** Parsing stops itself after two seconds of processor time; a job that takes this long hangs. */
const JOB_PROCESSOR_MS = 30_000;
/**
 * Wall-clock limit for jobs that wait for a dead disk. Even with a twentieth of a processor, the limit on processor
 * time comes first.
 */
const JOB_MS = 600_000;
/** Limit of a batch of commits: git itself stops after a minute, and the batch is halved and retried. */
const COMMITS: JobLimit = { ms: 600_000 };
/** Idle threads end, which frees the memory of their grammars. */
const IDLE_MS = 20_000;
/** Below searches and typing. */
const NICE = 10;
/**
 * Jobs per thread: the current one, and queued ones for when the engine's thread is too busy to send the next. Rails
 * is indexed in 22.9 s with one, 19.8 s with three, 19.5 s with eight.
 */
const JOBS_PER_THREAD = 3;

/** Keeps the texts of files for the next questions of one task. */
const SCANNER_IDLE_MS = 60_000;
/** A job looks at the clock between lines. One that is this late is in a line of megabytes, and ends with its thread. */
const SCANNER_GRACE_MS = 2_000;

interface PreparerPool extends Preparer, CommitReader {
  /** Ends idle threads; the next job starts new ones. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

export interface Preparers {
  /** For passes over a workspace: many threads at low priority. */
  readonly background: Preparer;
  /**
   * For a save or a buffer, which users wait for: one dedicated thread. It stays once it was needed: starting it and
   * loading a grammar takes 0.2 s, and a second on a busy machine.
   */
  readonly interactive: Preparer;
  /** Reads commits on the background threads. */
  readonly commits: CommitReader;
  /** One dedicated thread, which users wait for. */
  readonly scanner: Scanner;
  /** Ends idle background threads, whose grammars are not needed for a while. */
  restBackground(): Promise<void>;
  /** Ends all idle threads. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `workers` 0 means the number of cores minus one, at least two and at most four: the database and the engine's
 * thread need half a core. On two cores, two threads index rails in 16.3 s and one in 19.5 s.
 */
export function createPreparers(
  workers: number,
  workerData: unknown,
  log: Log,
  { processorMs = JOB_PROCESSOR_MS } = {},
): Preparers {
  const threads = workers > 0 ? workers : threadsFor(availableParallelism());
  const limit = { ms: JOB_MS, processorMs };
  const background = createPool({ threads, idleMs: IDLE_MS, nice: NICE, workerData }, limit, log);
  const interactive = createPool({ threads: 1, idleMs: Infinity, nice: 0, workerData }, limit, log);
  const scanning = { threads: 1, jobsPerThread: 1, idleMs: SCANNER_IDLE_MS, nice: 0, workerData };
  const scanner = new JobThreads(scanning, log);
  return {
    background,
    interactive,
    commits: background,
    scanner: {
      scan: (job) => scanner.run("scan", job, { ms: job.limitMs + SCANNER_GRACE_MS }),
      list: (job) => scanner.run("list", job, { ms: job.limitMs + SCANNER_GRACE_MS }),
    },
    restBackground: () => background.rest(),
    rest: async () => {
      await Promise.all([background.rest(), interactive.rest(), scanner.rest()]);
    },
    close: async () => {
      await Promise.all([background.close(), interactive.close(), scanner.close()]);
    },
  };
}

function threadsFor(cores: number): number {
  return Math.min(cores, Math.max(2, Math.min(4, cores - 1)));
}

type PoolOptions = Omit<ThreadOptions, "jobsPerThread">;

function createPool(options: PoolOptions, limit: Required<JobLimit>, log: Log): PreparerPool {
  const shared = new JobThreads({ ...options, jobsPerThread: JOBS_PER_THREAD }, log);
  const alone = new SerialQueue();
  const runAlone = async <T>(
    name: string,
    job: ThreadJob,
    within: JobLimit,
    signal?: AbortSignal,
  ) => {
    const thread = new JobThreads({ ...options, threads: 1, jobsPerThread: 1 }, log);
    try {
      return await thread.run<T>(name, job, within, signal);
    } finally {
      await thread.close();
    }
  };
  /** A crashed thread takes all of its jobs with it. Each is retried on a thread of its own, to find the one to blame. */
  const run = async <T>(
    name: string,
    job: ThreadJob,
    within: JobLimit,
    signal?: AbortSignal,
  ): Promise<T> => {
    try {
      return await shared.run(name, job, within, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TimeLimitExceeded || error instanceof Unavailable) throw error;
      return await alone.run(async () => {
        if (shared.isClosed) throw error;
        return await runAlone<T>(name, job, within, signal);
      });
    }
  };
  const prepare = (job: PrepareJob, signal: AbortSignal | undefined) =>
    run<PrepareResult>("prepare", job, limit, signal);

  return {
    concurrency: options.threads * JOBS_PER_THREAD,
    get isBusy() {
      return shared.isBusy;
    },
    prepare: (job, signal) =>
      prepareWithFallback(
        { prepare, limitMs: limit.processorMs, isClosed: () => shared.isClosed, log },
        job,
        signal,
      ),
    take: (job, signal) => run("take", job, limit, signal),
    readCommits: (job, signal) => run("readCommits", job, COMMITS, signal),
    rest: () => shared.rest(),
    close: () => shared.close(),
  };
}
