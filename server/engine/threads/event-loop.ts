/** How long the engine's main thread was blocked, by its own clock, while something was being indexed. */

import { createHistogram } from "node:perf_hooks";
import type { EventLoopDelay } from "../../contracts/session.ts";

/** Each measurement wakes the thread, so that nothing is measured while nothing is done. */
const RESOLUTION_MS = 10;

/** `monitorEventLoopDelay` would take the time in which it was disabled for one long delay. */
export class EventLoopMonitor {
  /** In microseconds, at least one. */
  readonly #delays = createHistogram();
  #timer: NodeJS.Timeout | undefined;
  #hasMeasured = false;

  /** Begins to measure with the first index that is being indexed, and ends with the last. */
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

  /** Since the engine started; undefined before anything was indexed. */
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
