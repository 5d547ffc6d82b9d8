/** Measures the processor time of threads, so that a busy or suspended machine or a small quota does not count. */

import { readFileSync, readlinkSync } from "node:fs";
import { trySystemCallSync } from "./errors.ts";

/** The thread number on systems that do not report it. */
const UNKNOWN_THREAD = -1;

/**
 * Processor time of the calling thread in milliseconds, since the thread started. macOS and Windows do not
 * report it; there it is the time of the whole process, which is never less.
 *
 * Node 20 has no `process.threadCpuUsage`, and a worker's `eventLoopUtilization` measures wall time.
 */
export function processorMs(): number {
  return processorMsOf("thread-self") ?? processMs();
}

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Undefined if the system does not report it or the thread has ended. */
function processorMsOf(thread: string): number | undefined {
  if (process.platform !== "linux") return undefined;
  const found = trySystemCallSync(() => readFileSync(`/proc/${thread}/schedstat`, "latin1"));
  return found === undefined ? undefined : Number(found.split(" ", 1)[0]) / 1e6;
}

/** The kernel's id of the calling thread. Each thread has its own copy of this module. */
let ownNumber: number | undefined;

function threadNumber(): number {
  ownNumber ??=
    processorMsOf("thread-self") === undefined
      ? UNKNOWN_THREAD
      : Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  return ownNumber;
}

/** Measures the processor time of one job in another thread, which writes its start into shared memory. */
export class JobMeter {
  /** Sent to the thread with the job. */
  readonly memory = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT);
  /** The id of the thread, and its processor time at the start of the job. */
  readonly #start = new Float64Array(this.memory);

  /** 0 until the job starts, because the thread may still run an earlier job. */
  get usedMs(): number {
    const [thread = 0, before = 0] = this.#start;
    if (thread === 0) return 0;
    if (thread === UNKNOWN_THREAD) return processMs() - before;
    return (processorMsOf(`self/task/${thread}`) ?? before) - before;
  }
}

/** Called by the worker thread when it starts the job. */
export function noteBegin(memory: SharedArrayBuffer): void {
  const start = new Float64Array(memory);
  start[1] = processorMs();
  // Written last, because a thread number shows the meter that the job has started.
  start[0] = threadNumber();
}
