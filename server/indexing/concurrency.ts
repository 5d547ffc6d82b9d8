/** Runs work over many items with a bound on how much is under way at once. */

import { setTimeout as delay } from "node:timers/promises";

/** Between two looks at whether more than one may be under way again. */
const POLL_MS = 50;

/** Starts items in order, at most `limit` at a time. After the first failure nothing new is started; it is thrown when the rest has ended. While `isOneEnough`, one after the other is started. */
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
