/** Processor time of threads: what a busy machine, a suspended one or a small quota takes away does not count. */

import { readFileSync, readlinkSync } from "node:fs";
import { isSystemError } from "./errors.ts";

/** In place of the number of a thread, where the system does not tell it. */
const UNKNOWN_THREAD = -1;

/**
 * Of the calling thread, where the system tells it; of the whole process elsewhere (macOS, Windows), which is never
 * less. In milliseconds since the thread or the process began.
 *
 * Node 20 has no `process.threadCpuUsage`, and a worker's `eventLoopUtilization` counts the clock.
 */
export function processorMs(): number {
  return processorMsOf("thread-self") ?? processMs();
}

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Undefined where the system does not tell it, and of a thread that has ended. */
function processorMsOf(thread: string): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const nanoseconds = readFileSync(`/proc/${thread}/schedstat`, "latin1").split(" ", 1)[0];
    return Number(nanoseconds) / 1e6;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** By which the process knows the calling thread. */
function threadNumber(): number {
  if (processorMsOf("thread-self") === undefined) return UNKNOWN_THREAD;
  return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
}

/** Processor time of one job in another thread, which is told of the job's beginning through shared memory. */
export class JobMeter {
  /** Sent to the thread with the job. */
  readonly memory = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT);
  readonly #told = new Float64Array(this.memory);

  /** Nothing before the job has begun: the thread may still be at another one. */
  get usedMs(): number {
    const [thread = 0, before = 0] = this.#told;
    if (thread === 0) return 0;
    if (thread === UNKNOWN_THREAD) return processMs() - before;
    return (processorMsOf(`self/task/${thread}`) ?? before) - before;
  }
}

/** Called by the thread that begins the job. */
export function noteBegin(memory: SharedArrayBuffer): void {
  const told = new Float64Array(memory);
  told[1] = processorMs();
  told[0] = threadNumber();
}
