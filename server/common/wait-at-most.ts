/** Waits for work that continues after a time limit or a cancellation. */

import { orAborted } from "./or-aborted.ts";
import { TimeLimitExceeded, withTimeLimit } from "./time-limit.ts";

/** Resolves when the work is done or after `ms`. Rejects as the work does, or with the reason of the aborted signal. */
export async function waitAtMost(
  ms: number,
  work: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await withTimeLimit(ms, [signal], (limit) => orAborted(work, limit));
  } catch (error) {
    if (!(error instanceof TimeLimitExceeded)) throw error;
  }
}
