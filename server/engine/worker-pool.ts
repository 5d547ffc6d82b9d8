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
/** Of all threads but one: a pass that has read everything holds their memory for nothing while it is at its largest. */
const MORE_IDLE_MS = 1_000;
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
  /** Ends the threads that have nothing to do. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** With more threads the engine's own one, which takes in what they make, is what they wait for. */
const MAX_THREADS = 4;

export interface PreparersOptions {
  /** 0 means one less than there are cores, but two where there are two: the rest of the engine takes half a core. */
  readonly workers: number;
  readonly workerData: unknown;
  /** While users wait for something else, one thread works in the background. */
  isForegroundBusy(): boolean;
  readonly log: Log;
}

export function createPreparers(options: PreparersOptions): Preparers {
  const { workers, isForegroundBusy } = options;
  const threads = workers > 0 ? workers : threadsFor(availableParallelism());
  const background = createPool(
    { threads, mayUseAll: () => !isForegroundBusy(), idleMs: IDLE_MS, nice: NICE },
    options,
  );
  const interactive = createPool(
    { threads: 1, mayUseAll: () => true, idleMs: Infinity, nice: 0 },
    options,
  );
  return {
    background,
    interactive,
    commits: background,
    rest: async () => {
      await Promise.all([background.rest(), interactive.rest()]);
    },
    close: async () => {
      await Promise.all([background.close(), interactive.close()]);
    },
  };
}

function threadsFor(cores: number): number {
  return Math.min(MAX_THREADS, cores, Math.max(2, cores - 1));
}

interface PoolOptions {
  readonly threads: number;
  mayUseAll(): boolean;
  readonly idleMs: number;
  readonly nice: number;
}

type Shared = Pick<PreparersOptions, "workerData" | "log">;

/** One thread and the jobs that it was given, in their order. */
interface Thread {
  pool: Piscina;
  readonly turns: Turns;
}

function createPool(options: PoolOptions, shared: Shared): PreparerPool {
  const { log } = shared;
  const start = (i: number) =>
    createThread(options, i === 0 ? options.idleMs : MORE_IDLE_MS, shared);
  const threads = Array.from(
    { length: options.threads },
    (_, i): Thread => ({ pool: start(i), turns: new Turns(1) }),
  );
  /** The one that has the least to do. */
  const choose = (): Thread => {
    const usable = options.mayUseAll() ? threads : threads.slice(0, 1);
    return usable.reduce((least, each) => (each.turns.size < least.turns.size ? each : least));
  };
  // A job waits for those before it in its thread; their time is not its own.
  const run = <T>(
    ms: number,
    signal: AbortSignal | undefined,
    ask: (pool: Piscina, ending: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const { pool, turns } = choose();
    return turns.during((begins) =>
      withTimeLimit(ms, [signal], (ending) => ask(pool, ending), begins),
    );
  };
  const runOnce = (job: PrepareJob, signal: AbortSignal | undefined): Promise<PrepareResult> =>
    run(JOB_MS, signal, (pool, ending) => pool.run(job, { signal: ending }));
  /** A thread that ends takes all of its jobs with it: the others are not to blame. */
  const runTwice = async (job: PrepareJob, signal: AbortSignal | undefined) => {
    try {
      return await runOnce(job, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TimeLimitExceeded) throw error;
      return await runOnce(job, signal);
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
        return await runOnce({ ...job, unparsed: reasonOf(error) }, signal);
      }
    },
    readCommits: (job, signal) =>
      run(COMMITS_MS, signal, (pool, ending) =>
        pool.run(job, { name: "readCommits", signal: ending }),
      ),
    rest: async () => {
      if (threads.some(({ turns }) => turns.size > 0)) return;
      const ended = threads.map(({ pool }) => pool);
      for (const [i, thread] of threads.entries()) thread.pool = start(i);
      await Promise.all(ended.map((pool) => pool.destroy()));
    },
    close: async () => {
      await Promise.all(threads.map(({ pool }) => pool.destroy()));
    },
  };
}

function createThread({ nice }: PoolOptions, idleMs: number, { workerData, log }: Shared): Piscina {
  const pool = new Piscina({
    filename: workerFile(),
    name: "prepare",
    minThreads: 0,
    maxThreads: 1,
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
