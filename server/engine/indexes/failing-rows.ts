/** The rows of lanes that a published index has in its database: if it fails, the index is left out of the answer. */

import { orAborted } from "../../common/or-aborted.ts";
import { withTimeLimit } from "../../common/time-limit.ts";
import type { LaneRows } from "../../contracts/lane-rows.ts";

/** As long as a search waits for the list of published indexes. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * After the first statement that fails or takes too long, nothing is found, and `failed` is called once. Each search then names the
 * index, and leaves out its hits.
 */
export function withFailure(rows: LaneRows, failed: (error: unknown) => void): LaneRows {
  let hasFailed = false;
  const guarded =
    <A extends readonly unknown[], T>(ask: (...args: A) => Promise<T>, nothing: T) =>
    async (...args: A): Promise<T> => {
      if (hasFailed) return nothing;
      try {
        return await withTimeLimit(ANSWER_TIMEOUT_MS, [], (limit) =>
          orAborted(ask(...args), limit),
        );
      } catch (error) {
        if (!hasFailed) failed(error);
        hasFailed = true;
        return nothing;
      }
    };
  return {
    ...rows,
    nearest: guarded(rows.nearest, []),
    byTerms: guarded(rows.byTerms, []),
    withTerms: guarded(rows.withTerms, []),
    names: guarded(rows.names, []),
    allNames: guarded(rows.allNames, []),
    defining: guarded(rows.defining, []),
    facts: guarded(rows.facts, new Map()),
    chunksOf: guarded(rows.chunksOf, []),
  };
}
