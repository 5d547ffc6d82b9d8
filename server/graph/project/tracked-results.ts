/** The recorded keys of the result of each file, to find the results that a change makes stale. */

import { mix } from "../../common/hash.ts";
import { NumberLists } from "../../common/packed/number-lists.ts";
import type { PackedArrays } from "../../common/packed/packed-arrays.ts";
import { createWorkCounter } from "../../common/work-counter.ts";
import { buildBuckets, type PutInBucket } from "./buckets.ts";
import type { Recording } from "./reads.ts";

/** With fewer stored keys per changed key, a scan of all keys is as fast as look-ups. */
const MIN_KEYS_PER_CHANGE = 500;
/** Mean keys per bucket: the number of files that a look-up searches. */
const BUCKET_LOAD = 16;
const MAX_BUCKETS = 1 << 16;
/** Changed keys per step. */
const STEP_CHANGES = 10_000;
/** Bytes of keys per step: less than a millisecond. */
const STEP_BYTES = 300_000;

/** Stored bytes per key. With a thousand files of a thousand keys each, 16 changed keys cause one needless recomputation. */
const KEY_BYTES = 3;
const NO_KEYS = new Uint8Array(0);
/** The filter of a key set has 2 ** SPARE_BITS bits per key, which makes false positives rare. */
const SPARE_BITS = 5;

export class TrackedResults {
  /** By file, its truncated keys in ascending order. */
  #keys = new NumberLists(Uint8Array);
  #keyCount = 0;
  /** By the low bits of a key, the files that had such a key when the buckets were built. */
  #readers = new NumberLists(Int32Array);
  #bucketCount = 1;
  /** Files that were computed since; each look-up searches all of them. */
  readonly #recent = new Set<number>();
  /** Searches of `#recent` since the buckets were built. They are rebuilt once these cost as much as a rebuild. */
  #lookUps = 0;
  /** Increases with each change of the keys. */
  #generation = 0;
  readonly #stale = new Set<number>();

  /** Notes that the result of a file was computed. */
  set(file: number, { keys }: Recording): void {
    this.#replace(file, packKeys(keys));
    this.#recent.add(file);
  }

  delete(file: number): void {
    this.#replace(file, NO_KEYS);
  }

  #replace(file: number, keys: Uint8Array): void {
    this.#keyCount += (keys.length - this.#keys.count(file)) / KEY_BYTES;
    this.#keys.set(file, keys);
    this.#generation++;
    this.#stale.delete(file);
  }

  /** Marks the result of a file as stale. */
  invalidate(file: number): void {
    this.#stale.add(file);
  }

  /** Marks all results stale that have read one of the keys, in steps. */
  *invalidateReaders(changed: ReadonlySet<number>): Generator<void, void> {
    if (changed.size === 0) return;
    const isWorthLookUp = changed.size * MIN_KEYS_PER_CHANGE < this.#keyCount;
    if (isWorthLookUp && (yield* this.#ensureBuckets())) yield* this.#lookUp(changed);
    else yield* this.#scanAll(changed);
  }

  *#lookUp(changed: ReadonlySet<number>): Generator<void, void> {
    const keys = [...changed].map(shortKey);
    this.#lookUps += this.#recent.size * keys.length;
    for (const file of this.#recent)
      if (keys.some((key) => this.#hasRead(file, key))) this.#stale.add(file);
    const isStep = createWorkCounter(STEP_BYTES);
    for (const key of keys) {
      const files = this.#readers.get(key & (this.#bucketCount - 1));
      for (const file of files) if (this.#hasRead(file, key)) this.#stale.add(file);
      if (isStep(files.length * KEY_BYTES)) yield;
    }
  }

  #hasRead(file: number, key: number): boolean {
    // Searches the shared array: creating a view per file takes longer than the search.
    const lists = this.#keys;
    const start = lists.start(file);
    return includesSorted(lists.values, start, start + lists.count(file), key);
  }

  *#scanAll(changed: ReadonlySet<number>): Generator<void, void> {
    const keys = new KeySet(changed.size);
    const isStepOfChanges = createWorkCounter(STEP_CHANGES);
    for (const key of changed) {
      keys.add(shortKey(key));
      if (isStepOfChanges(1)) yield;
    }
    const isStep = createWorkCounter(STEP_BYTES);
    for (let file = 0; file < this.#keys.size; file++) {
      const lists = this.#keys;
      const start = lists.start(file);
      const end = start + lists.count(file);
      if (hasAny(lists.values, start, end, keys)) this.#stale.add(file);
      if (isStep(end - start)) yield;
    }
  }

  /** Rebuilds the buckets if they are due, in steps; false if keys changed during a pause. */
  *#ensureBuckets(): Generator<void, boolean> {
    if (this.#lookUps <= this.#keyCount) return true;
    const generation = this.#generation;
    let count = 1;
    while (count < MAX_BUCKETS && count * BUCKET_LOAD < this.#keyCount) count *= 2;
    const made = yield* buildBuckets(
      count,
      (put) => this.#eachKey(count, put),
      () => this.#generation === generation,
    );
    if (made === undefined) return false;
    this.#bucketCount = count;
    this.#readers = made;
    this.#recent.clear();
    this.#lookUps = 0;
    return true;
  }

  *#eachKey(count: number, put: PutInBucket): Generator<void, void> {
    const isStep = createWorkCounter(STEP_BYTES);
    for (let file = 0; file < this.#keys.size; file++) {
      const list = this.#keys.get(file);
      for (let at = 0; at < list.length; at += KEY_BYTES) put(keyAt(list, at) & (count - 1), file);
      if (isStep(list.length)) yield;
    }
  }

  /** The keys of all results; valid until the next change. */
  pack(): PackedArrays {
    return this.#keys.packInPlace();
  }

  /** Validates packed keys, before the first result; the result restores them. Throws DamagedArrays. */
  unpack(arrays: PackedArrays): () => void {
    const keys = NumberLists.unpack(arrays, Uint8Array);
    return () => {
      this.#keys = keys;
      this.#stale.clear();
      for (let file = 0; file < keys.size; file++) this.#recent.add(file);
      this.#keyCount = keys.values.length / KEY_BYTES;
      this.#generation++;
    };
  }

  /** A file with a stale or missing result. */
  get firstStale(): number | undefined {
    const [file] = this.#stale;
    return file;
  }

  isStale(file: number): boolean {
    return this.#stale.has(file);
  }

  trim(): void {
    this.#keys.compact();
    this.#readers.compact();
  }
}

/** A set of truncated keys behind a bit filter: most look-ups miss, and a bit test is faster than a set. */
class KeySet {
  readonly #keys = new Set<number>();
  readonly #bits: Uint8Array;
  readonly #mask: number;

  constructor(size: number) {
    const bits = Math.min(KEY_BYTES * 8, 32 - Math.clz32(size) + SPARE_BITS);
    this.#mask = 2 ** bits - 1;
    this.#bits = new Uint8Array(2 ** bits / 8);
  }

  add(key: number): void {
    this.#keys.add(key);
    const at = key & this.#mask;
    this.#bits[at >> 3] = (this.#bits[at >> 3] as number) | (1 << (at & 7));
  }

  has(key: number): boolean {
    const at = key & this.#mask;
    return ((this.#bits[at >> 3] as number) & (1 << (at & 7))) !== 0 && this.#keys.has(key);
  }
}

function shortKey(key: number): number {
  return mix(key) >>> 8;
}

function packKeys(keys: readonly number[]): Uint8Array {
  // Loops: callbacks take six times as long, and this runs for each file.
  const sorted = new Int32Array(keys.length);
  for (let i = 0; i < keys.length; i++) sorted[i] = shortKey(keys[i] as number);
  sorted.sort();
  const packed = new Uint8Array(sorted.length * KEY_BYTES);
  for (let i = 0; i < sorted.length; i++) {
    const key = sorted[i] as number;
    packed[i * KEY_BYTES] = key;
    packed[i * KEY_BYTES + 1] = key >>> 8;
    packed[i * KEY_BYTES + 2] = key >>> 16;
  }
  return packed;
}

function keyAt(keys: Uint8Array, at: number): number {
  return (keys[at] as number) | ((keys[at + 1] as number) << 8) | ((keys[at + 2] as number) << 16);
}

function hasAny(keys: Uint8Array, start: number, end: number, wanted: KeySet): boolean {
  for (let at = start; at < end; at += KEY_BYTES) if (wanted.has(keyAt(keys, at))) return true;
  return false;
}

function includesSorted(keys: Uint8Array, start: number, end: number, key: number): boolean {
  let [from, to] = [0, (end - start) / KEY_BYTES];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (keyAt(keys, start + middle * KEY_BYTES) < key) from = middle + 1;
    else to = middle;
  }
  const found = start + from * KEY_BYTES;
  return found < end && keyAt(keys, found) === key;
}
