/** What was read for the result of each file: tells which of them a change concerns. */

import { mix } from "../../common/hash.ts";
import type { PackedArrays } from "../../common/packed/packed-arrays.ts";
import { createStep } from "../../common/step.ts";
import type { Scratch } from "../../contracts/graph.ts";
import { makeBuckets, type PutInBucket } from "./buckets.ts";
import { PackedLists } from "./packed-lists.ts";
import type { Recording } from "./reads.ts";

/** Where fewer keys are kept for each change, to look at all of them is as fast as to look the changes up. */
const MIN_KEYS_PER_CHANGE = 500;
/** As many keys are in a bucket on average: that many files are looked into for a change. */
const BUCKET_LOAD = 16;
const MAX_BUCKETS = 1 << 16;
/** Changed keys that are taken up between two pauses. */
const STEP_CHANGES = 10_000;
/** Bytes of keys that are looked at between two pauses: less than a millisecond. */
const STEP_BYTES = 300_000;

/** As much is kept of a key: of a thousand files that read a thousand keys each, one is made again for nothing per 16 changed keys. */
const KEY_BYTES = 3;
const NO_KEYS = new Uint8Array(0);
/** A filter has 2 to this power of bits per key, so that a key that is not in a set is seldom looked for in it. */
const SPARE_BITS = 5;

export class TrackedResults {
  /** By file, shortened and ascending. */
  readonly #keys: PackedLists<Uint8Array<ArrayBuffer>>;
  #keyCount = 0;
  /** By the end of a key, the files that had such a one when the buckets were made. */
  readonly #readers: PackedLists<Int32Array<ArrayBuffer>>;
  #bucketCount = 1;
  /** Files that read something since: a change is looked up in each of them. */
  readonly #recent = new Set<number>();
  /** How often that was done. Buckets are made again where it took as long as to make them takes. */
  #lookedUp = 0;
  /** Raised by each change of keys. */
  #generation = 0;
  readonly #missing = new Set<number>();

  constructor(scratch?: Scratch) {
    this.#keys = new PackedLists(Uint8Array, scratch);
    this.#readers = new PackedLists(Int32Array, scratch);
  }

  /** The result of a file was made. */
  set(file: number, { keys }: Recording): void {
    this.#replace(file, packKeys(keys));
    this.#recent.add(file);
  }

  delete(file: number): void {
    this.#replace(file, NO_KEYS);
  }

  #replace(file: number, keys: Uint8Array): void {
    this.#keyCount += (keys.length - this.#keys.lengthOf(file)) / KEY_BYTES;
    this.#keys.set(file, keys);
    this.#generation++;
    this.#missing.delete(file);
  }

  /** The result of a file is to be made, or made again. */
  invalidate(file: number): void {
    this.#missing.add(file);
  }

  /** Invalidates all results for which one of the keys was read, in steps. */
  *invalidateReaders(changed: ReadonlySet<number>): Generator<void, void> {
    if (changed.size === 0) return;
    const isLookedUp = changed.size * MIN_KEYS_PER_CHANGE < this.#keyCount;
    if (isLookedUp && (yield* this.#hasReaders())) yield* this.#lookUp(changed);
    else yield* this.#lookThrough(changed);
  }

  *#lookUp(changed: ReadonlySet<number>): Generator<void, void> {
    const keys = [...changed].map(shortKey);
    this.#lookedUp += this.#recent.size * keys.length;
    for (const file of this.#recent)
      if (keys.some((key) => this.#hasRead(file, key))) this.#missing.add(file);
    const isStep = createStep(STEP_BYTES);
    for (const key of keys) {
      const files = this.#readers.get(key & (this.#bucketCount - 1));
      for (const file of files) if (this.#hasRead(file, key)) this.#missing.add(file);
      if (isStep(files.length * KEY_BYTES)) yield;
    }
  }

  #hasRead(file: number, key: number): boolean {
    // Without a view for each file: to make these takes longer than to look into them.
    const start = this.#keys.startOf(file);
    return includesSorted(this.#keys.numbers, start, start + this.#keys.lengthOf(file), key);
  }

  *#lookThrough(changed: ReadonlySet<number>): Generator<void, void> {
    const keys = new KeySet(changed.size);
    const isStepOfChanges = createStep(STEP_CHANGES);
    for (const key of changed) {
      keys.add(shortKey(key));
      if (isStepOfChanges(1)) yield;
    }
    const isStep = createStep(STEP_BYTES);
    for (let file = 0; file < this.#keys.count; file++) {
      const start = this.#keys.startOf(file);
      const end = start + this.#keys.lengthOf(file);
      if (hasAny(this.#keys.numbers, start, end, keys)) this.#missing.add(file);
      if (isStep(end - start)) yield;
    }
  }

  /** Makes the buckets where it is time to; false where keys changed meanwhile. */
  *#hasReaders(): Generator<void, boolean> {
    if (this.#lookedUp <= this.#keyCount) return true;
    const generation = this.#generation;
    let count = 1;
    while (count < MAX_BUCKETS && count * BUCKET_LOAD < this.#keyCount) count *= 2;
    const made = yield* makeBuckets(
      count,
      (put) => this.#eachKey(count, put),
      () => this.#generation === generation,
    );
    if (made === undefined) return false;
    this.#bucketCount = count;
    this.#readers.fill(made.lengths, made.files);
    this.#recent.clear();
    this.#lookedUp = 0;
    return true;
  }

  *#eachKey(count: number, put: PutInBucket): Generator<void, void> {
    const isStep = createStep(STEP_BYTES);
    for (let file = 0; file < this.#keys.count; file++) {
      const list = this.#keys.get(file);
      for (let at = 0; at < list.length; at += KEY_BYTES) put(keyAt(list, at) & (count - 1), file);
      if (isStep(list.length)) yield;
    }
  }

  /** What was read for all results, as long as nothing changes. */
  pack(): PackedArrays {
    return this.#keys.pack();
  }

  /** Before there is any result: looks at what `pack` gave; the result takes it over. Throws DamagedArrays. */
  unpack(arrays: PackedArrays): () => void {
    const takeOver = this.#keys.unpack(arrays);
    return () => {
      takeOver();
      this.#missing.clear();
      for (let file = 0; file < this.#keys.count; file++) this.#recent.add(file);
      this.#keyCount = this.#keys.numbers.length / KEY_BYTES;
      this.#generation++;
    };
  }

  /** Some file whose result is missing. */
  get firstMissing(): number | undefined {
    const [file] = this.#missing;
    return file;
  }

  isMissing(file: number): boolean {
    return this.#missing.has(file);
  }

  trim(): void {
    this.#keys.trim();
    this.#readers.trim();
  }
}

/** Shortened keys. Most that are asked for are in none: a bit tells, and is found sooner than a number in a set. */
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
  // By loops: this is done for each file, and with a function for each key takes six times as long.
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
