/** The counts of an index during its passes, as a value. */

import { advance, type Pace } from "../common/remaining-time.ts";

export interface PassProgress {
  /** Stored files of the pass. */
  readonly done: number;
  readonly total: number;
  /** Files of the pass that were read. */
  readonly read: number;
  /** All files in the index. */
  readonly stored: number;
  /** Stored files of the pass that are not yet compared with the files on disk. Default: 0. */
  readonly unchecked?: number;
}

export interface Counts {
  readonly indexed: number;
  readonly total: number;
  readonly read: number;
  /** Files whose stored content is searched, but not compared with the files on disk since the pass began. */
  readonly unchecked: number;
  /** Chunks without vectors. */
  readonly pending: number;
  readonly pace: Pace | undefined;
  /** The highest counts reported since the state became `indexing`. */
  readonly shown: typeof NO_FILES;
}

export const NO_FILES = { indexed: 0, total: 0 };

export const NO_COUNTS: Counts = {
  ...NO_FILES,
  read: 0,
  unchecked: 0,
  pending: 0,
  pace: undefined,
  shown: NO_FILES,
};

/** The counts after progress of a pass over `total` files. The other files of the index count as indexed. */
export function advanced(counts: Counts, progress: PassProgress, isIndexing: boolean): Counts {
  const { done, total, read, stored, unchecked = 0 } = progress;
  const others = Math.max(0, stored - total);
  const pace = advance(counts.pace, read, total, performance.now());
  const next = { ...counts, pace, read: others + read, unchecked };
  const files = { indexed: others + done, total: others + total };
  if (!isIndexing) return { ...next, ...files };
  // Switching a branch takes several passes with different totals; the shown counts never decrease.
  const shown = {
    indexed: Math.max(counts.shown.indexed, files.indexed),
    total: Math.max(counts.shown.total, files.total),
  };
  return { ...next, ...shown, shown };
}
