/** The rows of lanes that a published index has in its database: if it fails or is slow, the index is left out of the answer. */

import { messageOf } from "../../common/errors.ts";
import { orAborted } from "../../common/or-aborted.ts";
import { TimeLimitExceeded, withTimeLimit } from "../../common/time-limit.ts";
import type { LaneRows } from "../../contracts/lane-rows.ts";

/** How long one search waits for one index, in milliseconds. */
export interface Patience {
  readonly perStatement: number;
  /** For all statements together; the time of several that run at once counts once. */
  readonly inAll: number;
}

/** The other indexes have answered, and the index can be searched by its name. */
export const AMONG_OTHERS: Patience = { perStatement: 1_000, inAll: 1_000 };
/** A busy server takes seconds for an answer. A statement waits as long as a search does for the list of published indexes. */
export const ALONE: Patience = { perStatement: 5_000, inAll: Number.POSITIVE_INFINITY };

/** The rows for one search, and why its answer lacks the index, if it does. */
interface RowsOfSearch {
  readonly rows: LaneRows;
  failure(): string | undefined;
}

/**
 * After the first statement that fails or takes too long, nothing is found, and `failed` is called once. The server ends the
 * statements that were begun, so that other searches have its connections.
 */
export function rowsOfSearch(rows: LaneRows, patience: Patience, failed: () => void): RowsOfSearch {
  const waiting = new Waiting();
  let failure: string | undefined;
  const fail = (error: unknown) => {
    if (failure !== undefined) return;
    failure =
      error instanceof TimeLimitExceeded
        ? `it took longer than ${Math.min(patience.perStatement, patience.inAll) / 1_000} s`
        : messageOf(error);
    failed();
  };
  const guarded =
    <A extends readonly unknown[], T>(
      of: (own: LaneRows) => (...args: A) => Promise<T>,
      nothing: T,
    ) =>
    async (...args: A): Promise<T> => {
      if (failure !== undefined) return nothing;
      const ms = Math.min(patience.perStatement, patience.inAll - waiting.ms);
      try {
        return await waiting.during(
          withTimeLimit(ms, [], (limit) => orAborted(of(rows.until(limit))(...args), limit)),
        );
      } catch (error) {
        fail(error);
        return nothing;
      }
    };
  return {
    rows: {
      ...rows,
      nearest: guarded(({ nearest }) => nearest, []),
      byTerms: guarded(({ byTerms }) => byTerms, []),
      withTerms: guarded(({ withTerms }) => withTerms, []),
      names: guarded(({ names }) => names, []),
      allNames: guarded(({ allNames }) => allNames, []),
      defining: guarded(({ defining }) => defining, []),
      facts: guarded(({ facts }) => facts, new Map()),
      chunksOf: guarded(({ chunksOf }) => chunksOf, []),
    },
    failure: () => failure,
  };
}

/** The time during which at least one statement runs. */
class Waiting {
  #running = 0;
  #since = 0;
  #before = 0;

  get ms(): number {
    return this.#before + (this.#running === 0 ? 0 : performance.now() - this.#since);
  }

  async during<T>(work: Promise<T>): Promise<T> {
    if (this.#running++ === 0) this.#since = performance.now();
    try {
      return await work;
    } finally {
      if (this.#running === 1) this.#before = this.ms;
      this.#running--;
    }
  }
}
