/** The worker threads: jobs that hang or break cost their worker, not the engine. */

import { availableParallelism } from "node:os";
import { Unavailable } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { SerialQueue } from "../../common/serial-queue.ts";
import { TimeLimitExceeded } from "../../common/time-limit.ts";
import type { CommitReader } from "../../contracts/history.ts";
import type { PrepareJob, PrepareResult, Preparer } from "../../contracts/preparer.ts";
import { type JobLimit, JobThreads, type ThreadJob, type ThreadOptions } from "./job-threads.ts";
import { prepareInTime } from "./prepare-in-time.ts";

/** Parsing stops itself after two seconds of processor time; what takes this much hangs. */
const JOB_PROCESSOR_MS = 30_000;
/**
 * On the clock, what waits for a disk that never answers is given up after this. An engine with a twentieth of a
 * processor comes to the limit of processor time before it.
 */
const JOB_MS = 600_000;
/** A batch of commits: git itself is stopped after a minute, and asked again for halves of it. */
const COMMITS: JobLimit = { ms: 600_000 };
/** Idle threads end, and free the memory of their grammars. */
const IDLE_MS = 20_000;
/** Below searching and typing, above nothing. */
const NICE = 10;
/**
 * Jobs that a thread has at once: the one that it works on, and those that follow while the engine's own thread is busy
 * and cannot hand it the next one. Rails is indexed in 22.9 s with one, 19.8 s with three, 19.5 s with eight.
 */
const JOBS_PER_THREAD = 3;

interface PreparerPool extends Preparer, CommitReader {
  /** Ends threads that have nothing to do; the next job starts others. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

export interface Preparers {
  /** For passes over a workspace: as many threads as are good for it, which give way to everything else. */
  readonly background: Preparer;
  /**
   * For what users wait for, a save or a buffer: one thread that does nothing else. Once it was needed it
   * stays, with its grammars: starting it and loading one takes .2 s on a quiet machine and a second on a busy one.
   */
  readonly interactive: Preparer;
  /** Reads commits in the threads of the background. */
  readonly commits: CommitReader;
  /** Ends the threads of the background, unless they have something to do: grammars are not needed for a while. */
  restBackground(): Promise<void>;
  /** Ends all threads that have nothing to do. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `workers` 0 means one less than there are cores, at least two and at most four: the database and the engine's own thread
 * need half of what a thread needs. On two cores, one thread takes 19.5 s for rails and two 16.3, for as much processor
 * time; caddy 3.5 and 3.2.
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
  return {
    background,
    interactive,
    commits: background,
    restBackground: () => background.rest(),
    rest: async () => {
      await Promise.all([background.rest(), interactive.rest()]);
    },
    close: async () => {
      await Promise.all([background.close(), interactive.close()]);
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
  /** A thread that ends takes all of its jobs with it. Each gets one for itself, to tell which of them is to blame. */
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
      prepareInTime(
        { prepare, limitMs: limit.processorMs, isClosed: () => shared.isClosed, log },
        job,
        signal,
      ),
    readCommits: (job, signal) => run("readCommits", job, COMMITS, signal),
    rest: () => shared.rest(),
    close: () => shared.close(),
  };
}
