/** How long the engine's main thread was blocked, by its own clock, while something was being indexed. */

import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { EventLoopDelay } from "../contracts/session.ts";

/** Each measurement wakes the thread, so that nothing is measured while nothing is done. */
const RESOLUTION_MS = 10;

export class EventLoopMonitor {
  readonly #delays: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #isMeasuring = false;
  #hasMeasured = false;

  /** Begins to measure with the first index that is being indexed, and ends with the last. */
  measure(isIndexing: boolean): void {
    if (isIndexing === this.#isMeasuring) return;
    this.#isMeasuring = isIndexing;
    this.#hasMeasured = true;
    if (isIndexing) this.#delays.enable();
    else this.#delays.disable();
  }

  /** Since the engine started; undefined before anything was indexed. */
  get delay(): EventLoopDelay | undefined {
    if (!this.#hasMeasured) return undefined;
    return {
      p50Ms: lateness(this.#delays.percentile(50)),
      p99Ms: lateness(this.#delays.percentile(99)),
      maxMs: lateness(this.#delays.max),
    };
  }
}

/** What is measured is the time between two timers, in nanoseconds. */
function lateness(nanoseconds: number): number {
  return Math.max(0, Math.round(nanoseconds / 1e5 - RESOLUTION_MS * 10) / 10);
}
