/** Builds hash buckets of file numbers by counting sort, for all files at once, in steps. */

export type PutInBucket = (bucket: number, file: number) => void;

interface Buckets {
  /** The number of files per bucket. */
  readonly lengths: Int32Array<ArrayBuffer>;
  /** The files of all buckets, concatenated. */
  readonly files: Int32Array<ArrayBuffer>;
}

/**
 * `each` is run twice, first to count the files per bucket, then to place them; it must put the same files both times.
 * Undefined if they changed during a pause.
 */
export function* buildBuckets(
  count: number,
  each: (put: PutInBucket) => Generator<void, void>,
  isUnchanged: () => boolean,
): Generator<void, Buckets | undefined> {
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
  return { lengths, files };
}
