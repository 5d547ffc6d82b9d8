/** Runs long work on the main thread in slices, between which requests are answered. */

import { setImmediate } from "node:timers/promises";

/** Well below what a person notices; a step that was begun is ended. */
const SLICE_MS = 5;

export async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const { done, value } = steps.next();
      if (done === true) return value;
    } while (performance.now() < until);
    await setImmediate();
  }
}

/** For work that awaits: the result pauses where the last pause is a slice ago. */
export function createPauses(): () => Promise<void> {
  let until = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < until) return;
    await setImmediate();
    until = performance.now() + SLICE_MS;
  };
}
