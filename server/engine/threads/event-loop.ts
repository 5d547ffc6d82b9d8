/** Measures the delay of the main thread's event loop during indexing. */

import { createHistogram } from "node:perf_hooks";
import type { EventLoopDelay } from "../../contracts/session.ts";

/** Each measurement wakes the thread, so nothing is measured while idle. */
const RESOLUTION_MS = 10;

/** Not `monitorEventLoopDelay`: it would count the time while it is disabled as one long delay. */
export class EventLoopMonitor {
  /** In microseconds, at least 1. */
  readonly #delays = createHistogram();
  #timer: NodeJS.Timeout | undefined;
  #hasMeasured = false;

  /** Starts with the first index that is being indexed and stops with the last. */
  measure(isIndexing: boolean): void {
    if (isIndexing === (this.#timer !== undefined)) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (!isIndexing) return;
    let last = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#delays.record(Math.max(1, Math.round((now - last - RESOLUTION_MS) * 1_000)));
      last = now;
    }, RESOLUTION_MS).unref();
    this.#hasMeasured = true;
  }

  /** Since the start of the engine; undefined before the first indexing. */
  get delay(): EventLoopDelay | undefined {
    if (!this.#hasMeasured) return undefined;
    const milliseconds = (us: number) => Math.round(us / 100) / 10;
    return {
      p50Ms: milliseconds(this.#delays.percentile(50)),
      p99Ms: milliseconds(this.#delays.percentile(99)),
      maxMs: this.#delays.count === 0 ? 0 : milliseconds(this.#delays.max),
    };
  }
}
