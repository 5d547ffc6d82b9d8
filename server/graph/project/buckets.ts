/** Builds hash buckets of file numbers by counting sort, for all files at once, in steps. */

import { NumberLists } from "../../common/packed/number-lists.ts";

export type PutInBucket = (bucket: number, file: number) => void;

/**
 * `each` is run twice, first to count the files per bucket, then to place them; it must put the same files both times.
 * Undefined if they changed during a pause.
 */
export function* buildBuckets(
  count: number,
  each: (put: PutInBucket) => Generator<void, void>,
  isUnchanged: () => boolean,
): Generator<void, NumberLists<Int32Array<ArrayBuffer>> | undefined> {
  const lengths = new Int32Array(count);
  const counting = each((bucket) => {
    lengths[bucket] = (lengths[bucket] as number) + 1;
  });
  for (const _ of counting) {
    yield;
    if (!isUnchanged()) return undefined;
  }
  const ends = new Int32Array(count);
  let all = 0;
  for (let bucket = 0; bucket < count; bucket++) {
    ends[bucket] = all;
    all += lengths[bucket] as number;
  }
  const files = new Int32Array(all);
  const filling = each((bucket, file) => {
    const end = ends[bucket] as number;
    files[end] = file;
    ends[bucket] = end + 1;
  });
  for (const _ of filling) {
    yield;
    if (!isUnchanged()) return undefined;
  }
  return NumberLists.from(lengths, files);
}
