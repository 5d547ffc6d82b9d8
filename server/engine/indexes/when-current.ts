/** Waits until the indexes of a session contain the files as they are now. */

import { orAborted } from "../../common/or-aborted.ts";
import { withTimeLimit } from "../../common/time-limit.ts";
import type { OpenIndex } from "./open-index.ts";

/** Resolves after `maxMs` at the latest. Rejects only with the reason of `signal`. */
export async function whenCurrent(
  indexes: readonly OpenIndex[],
  maxMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const current = (limit: AbortSignal) =>
    orAborted(Promise.all(indexes.map((index) => index.whenCurrent(limit))), limit);
  try {
    await withTimeLimit(maxMs, [signal], current);
  } catch {
    // The state of the index says that it is not up to date, and why.
    signal?.throwIfAborted();
  }
}
