/** `TrackedResults`: the results that a change makes stale, restored or new. */

import { expect, it } from "vitest";
import { Reads } from "../../../server/graph/project/reads.ts";
import { TrackedResults } from "../../../server/graph/project/tracked-results.ts";

/** More than a change scans. */
const KEYS_PER_FILE = 1_000;

function resultsOf(files: number): TrackedResults {
  const reads = new Reads();
  const results = new TrackedResults();
  for (let file = 0; file < files; file++) {
    const recording = reads.create(file);
    reads.during(recording, () => {
      for (let key = 0; key < KEYS_PER_FILE; key++) reads.record(file * KEYS_PER_FILE + key);
    });
    results.set(file, recording);
  }
  return results;
}

function missingAfter(results: TrackedResults, key: number): number | undefined {
  for (const _ of results.invalidateReaders(new Set([key])));
  return results.firstStale;
}

it("`invalidateReaders` finds the files that read a key", () => {
  expect(missingAfter(resultsOf(3), 1_234)).toBe(1);
  expect(missingAfter(resultsOf(3), 99_999)).toBeUndefined();
});

it("`invalidateReaders` finds restored files that read a key", () => {
  const results = new TrackedResults();
  results.invalidate(0);
  results.unpack(resultsOf(3).pack())();
  expect(results.firstStale).toBeUndefined();
  expect(missingAfter(results, 2_345)).toBe(2);
});
