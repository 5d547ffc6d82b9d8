/** Runs an asynchronous function over many items with limited concurrency. */

import { setTimeout as delay } from "node:timers/promises";

/** How often waiting lanes check `isOneEnough`. */
const POLL_MS = 50;

/**
 * Starts items in order, at most `limit` at a time, or one at a time while `isOneEnough`. After the first error no item is
 * started; the error is thrown when the running items have ended.
 */
export async function forEachLimited<T>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<void>,
  isOneEnough: () => boolean = () => false,
): Promise<void> {
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const lane = async (number: number) => {
    while (next < items.length && failure === undefined) {
      if (number > 0 && isOneEnough()) {
        await delay(POLL_MS);
        continue;
      }
      const item = items[next++] as T;
      try {
        await run(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, limit) }, (_, number) => lane(number)));
  if (failure !== undefined) throw failure.error;
}
