/** Runs long work on the main thread in slices, between which requests are answered. */

import { setTimeout as delay, setImmediate } from "node:timers/promises";

/** Well below what a person notices; a step that was begun is ended. */
const SLICE_MS = 5;
/** A search waits several times for the thread, and each time for a whole slice where slices follow at once. */
const REST_MS = 25;

/** Awaited between two slices: work may give way to what is more urgent. */
export type GiveWay = () => Promise<void>;

/** For work that somebody waits for. */
export function inSlices<T>(steps: Generator<void, T>, giveWay?: GiveWay): Promise<T> {
  return run(steps, async () => {
    await othersTurn();
    await giveWay?.();
  });
}

/** The same for a request that may be cancelled: rejects with the signal's reason between two slices. */
export function inSlicesUntil<T>(
  signal: AbortSignal | undefined,
  steps: Generator<void, T>,
): Promise<T> {
  return inSlices(steps, async () => signal?.throwIfAborted());
}

/** For work that nobody waits for: it takes a sixth of the thread's time. */
export function inBackground<T>(steps: Generator<void, T>): Promise<T> {
  return run(steps, () => delay(REST_MS, undefined, { ref: false }));
}

async function run<T>(steps: Generator<void, T>, pause: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const { done, value } = steps.next();
      if (done === true) return value;
    } while (performance.now() < until);
    await pause();
  }
}

/** For work that awaits: the result pauses where the last pause is a slice ago. */
export function createPauses(giveWay?: GiveWay): () => Promise<void> {
  let until = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < until) return;
    await othersTurn();
    await giveWay?.();
    until = performance.now() + SLICE_MS;
  };
}

/** Runs for each item, `atOnce` of them together, and pauses before each of these; the results are in the order of the items. */
export async function inBatches<T, R>(
  items: readonly T[],
  atOnce: number,
  pause: () => Promise<void>,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    await pause();
    results.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))));
  }
  return results;
}

/** In the first turn of the event loop a message is read, and what handles it is queued for the end of that turn, after us. */
async function othersTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
