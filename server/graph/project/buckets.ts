/** Numbers of files by bucket, made for all files at once, in steps. */

export type PutInBucket = (bucket: number, file: number) => void;

interface MadeBuckets {
  /** By bucket, how many files it has. */
  readonly lengths: Int32Array<ArrayBuffer>;
  /** Of one bucket after another. */
  readonly files: Int32Array<ArrayBuffer>;
}

/**
 * `each` puts all files in their buckets, the same ones each time that it is run: first they are counted. Undefined
 * where they have changed in one of the pauses.
 */
export function* makeBuckets(
  count: number,
  each: (put: PutInBucket) => Generator<void, void>,
  isUnchanged: () => boolean,
): Generator<void, MadeBuckets | undefined> {
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
