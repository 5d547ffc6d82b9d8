/** The pool of worker threads: jobs that hang or break cost their worker, not the engine. */

import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import type { PrepareJob, PrepareResult, Preparer } from "../ports.ts";
import { withTimeLimit } from "../time-limit.ts";

/** Parsing stops itself after two seconds; what takes this long hangs. */
const JOB_MS = 30_000;
/** Grammars that nobody uses give their memory back with the thread. */
const IDLE_MS = 20_000;
/** What a file leaves behind is collected soon: 100 MB less for a thread, no slower (10 thousand chunks). */
const YOUNG_MB = 8;
/** Below searching and typing, above nothing. */
const NICE = 10;

export interface PreparerPool extends Preparer {
  close(): Promise<void>;
}

/** `workers` 0 means one less than there are cores, at most four: the database works on a core of its own. */
export function createPreparer(workers: number, workerData: unknown, log: Log): PreparerPool {
  const threads = workers > 0 ? workers : Math.max(1, Math.min(4, availableParallelism() - 1));
  const pool = new Piscina({
    filename: workerFile(),
    name: "prepare",
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    niceIncrement: NICE,
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    recordTiming: false,
  });
  pool.on("error", (error) => log.warn("a worker broke", { error: messageOf(error) }));

  const run = (job: PrepareJob, signal: AbortSignal | undefined): Promise<PrepareResult> =>
    withTimeLimit(JOB_MS, [signal], (ending) => pool.run(job, { signal: ending }));

  return {
    width: threads * 2,
    prepare: async (job, signal) => {
      try {
        return await run(job, signal);
      } catch (error) {
        signal?.throwIfAborted();
        log.warn("a file is cut without its parser", { path: job.path, error: messageOf(error) });
        return await run({ ...job, unparsed: messageOf(error) }, signal);
      }
    },
    close: () => pool.destroy(),
  };
}

/** Threads run what was built, also where the sources themselves are run, in tests. */
function workerFile(): string {
  const own = import.meta.url;
  return fileURLToPath(new URL(own.endsWith(".ts") ? "../../dist/worker.js" : "../worker.js", own));
}
