/** Cooperative scheduling: runs long work on the main thread in time slices and yields to requests between them. */

import { setTimeout as delay, setImmediate } from "node:timers/promises";

/** Too short for users to notice. A started step always finishes, so a slice may take longer. */
const SLICE_MS = 5;
/** The pause of background work. A search needs the thread several times, and without a pause waits for a slice each time. */
const BACKGROUND_PAUSE_MS = 25;

/** Awaited between two slices, so that urgent work runs first. */
export type YieldToForeground = () => Promise<void>;

/** Runs a generator whose result a request waits for. */
export function inSlices<T>(
  steps: Generator<void, T>,
  yieldToForeground?: YieldToForeground,
): Promise<T> {
  return run(steps, async () => {
    await yieldToEventLoop();
    await yieldToForeground?.();
  });
}

/** The same for a request that may be cancelled: rejects with the signal's reason between two slices. */
export function inSlicesUntil<T>(
  signal: AbortSignal | undefined,
  steps: Generator<void, T>,
): Promise<T> {
  return inSlices(steps, async () => signal?.throwIfAborted());
}

/** Runs a generator without a pause, where its work is known to be short. */
export function runToEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Runs a generator in the background, with a sixth of the thread's time. */
export function inBackground<T>(steps: Generator<void, T>): Promise<T> {
  return run(steps, () => delay(BACKGROUND_PAUSE_MS, undefined, { ref: false }));
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

/** For asynchronous work: the returned function yields if the last pause was at least one slice ago. */
export function createPause(yieldToForeground?: YieldToForeground): () => Promise<void> {
  let until = performance.now() + SLICE_MS;
  const rest = async () => {
    await yieldToEventLoop();
    await yieldToForeground?.();
    until = performance.now() + SLICE_MS;
  };
  return () => (performance.now() < until ? NO_PAUSE : rest());
}

/** Shared, because a search asks for a pause some dozen times. */
const NO_PAUSE = Promise.resolve();

/** Processes items in batches of `atOnce`, concurrently within a batch, and pauses before each batch. Returns results in order. */
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

/** Two turns: the first reads a message, and its handler runs at the end of that turn, after this callback. */
async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
