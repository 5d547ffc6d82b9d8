/** The worker threads: jobs that hang or break cost their worker, not the engine. */

import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { messageOf } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { TimeLimitExceeded, withTimeLimit } from "../common/time-limit.ts";
import { Turns } from "../common/turns.ts";
import type { CommitReader } from "../contracts/history.ts";
import { PARSE_TIMEOUT } from "../contracts/model.ts";
import type { PrepareJob, PrepareResult, Preparer } from "../contracts/preparer.ts";

/** Parsing stops itself after two seconds of processor time, or 20 on the clock; what takes this long hangs. */
const JOB_MS = 30_000;
/** A batch of commits: git itself is stopped after a minute, and asked again for halves of it. */
const COMMITS_MS = 600_000;
/** Idle threads end, and free the memory of their grammars. */
const IDLE_MS = 20_000;
/** A small young generation is collected soon: 100 MB less per thread, no slower (10 thousand chunks). */
const YOUNG_MB = 8;
/** Below searching and typing, above nothing. */
const NICE = 10;
/**
 * Jobs that a thread has at once: one that it works on, and what it goes on with while the engine's own thread is busy
 * and cannot hand it the next one. Rails is indexed in 24.7 s with three and files read at once, in 30.7 s with one.
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
 * `workers` 0 means one less than there are cores, at most four: the database works on a core of its own. A second thread
 * on two cores takes 18 % more processor time for rails, to be 5 % sooner, and 10 % more for caddy, for nothing.
 */
export function createPreparers(workers: number, workerData: unknown, log: Log): Preparers {
  const threads = workers > 0 ? workers : Math.max(1, Math.min(4, availableParallelism() - 1));
  const background = createPool({ threads, idleMs: IDLE_MS, nice: NICE, workerData }, log);
  const interactive = createPool({ threads: 1, idleMs: Infinity, nice: 0, workerData }, log);
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

interface PoolOptions {
  readonly threads: number;
  readonly idleMs: number;
  readonly nice: number;
  readonly workerData: unknown;
}

type Ask<T> = (ending: AbortSignal) => Promise<T>;

function createPool(options: PoolOptions, log: Log): PreparerPool {
  let pool = createThreads(options, log);
  // A job waits for those before it in its thread; their time is not its own.
  const turns = new Turns(options.threads);
  const limited = <T>(ms: number, others: readonly (AbortSignal | undefined)[], ask: Ask<T>) =>
    turns.during((begins) => withTimeLimit(ms, others, ask, begins));
  const run = (job: PrepareJob, signal: AbortSignal | undefined): Promise<PrepareResult> =>
    limited(JOB_MS, [signal], (ending) => pool.run(job, { signal: ending }));
  /** A thread that ends takes all of its jobs with it: the others are not to blame. */
  const runTwice = async (job: PrepareJob, signal: AbortSignal | undefined) => {
    try {
      return await run(job, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TimeLimitExceeded) throw error;
      return await run(job, signal);
    }
  };

  return {
    concurrency: options.threads * JOBS_PER_THREAD,
    prepare: async (job, signal) => {
      try {
        return await runTwice(job, signal);
      } catch (error) {
        signal?.throwIfAborted();
        log.warn("a file is cut without its parser", { path: job.path, error: messageOf(error) });
        return await run({ ...job, unparsed: reasonOf(error) }, signal);
      }
    },
    readCommits: (job, signal) =>
      limited(COMMITS_MS, [signal], (ending) =>
        pool.run(job, { name: "readCommits", signal: ending }),
      ),
    rest: async () => {
      if (turns.size > 0) return;
      const ended = pool;
      pool = createThreads(options, log);
      await ended.destroy();
    },
    close: () => pool.destroy(),
  };
}

function createThreads({ threads, idleMs, nice, workerData }: PoolOptions, log: Log): Piscina {
  const pool = new Piscina({
    filename: workerFile(),
    name: "prepare",
    minThreads: 0,
    maxThreads: threads,
    concurrentTasksPerWorker: JOBS_PER_THREAD,
    idleTimeout: idleMs,
    niceIncrement: nice,
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    recordTiming: false,
  });
  pool.on("error", (error) => log.warn("a worker broke", { error: messageOf(error) }));
  return pool;
}

/** One that took too long is tried again by a later pass. */
function reasonOf(error: unknown): string {
  return error instanceof TimeLimitExceeded
    ? `${PARSE_TIMEOUT} ${JOB_MS / 1000} s`
    : messageOf(error);
}

/** Threads run what was built, also where the sources themselves are run, in tests. */
function workerFile(): string {
  const own = import.meta.url;
  return fileURLToPath(new URL(own.endsWith(".ts") ? "../../dist/worker.js" : "../worker.js", own));
}
