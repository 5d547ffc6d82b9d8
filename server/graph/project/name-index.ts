/** An index of definitions by name over all files. It is built on first use, and updated file by file. */

import { hash53 } from "../../common/hash.ts";
import { NumberLists } from "../../common/packed/number-lists.ts";
import type { PackedArrays } from "../../common/packed/packed-arrays.ts";
import { createWorkCounter } from "../../common/work-counter.ts";
import type { FileFacts } from "../../contracts/facts.ts";
import { buildBuckets, type PutInBucket } from "./buckets.ts";

export interface IndexEntry {
  readonly file: number;
  readonly index: number;
  /** A hash of the owner of the definition, for comparison within the index: equal marks mean the same owner. */
  readonly mark: number;
}

/** An entry to index. */
export interface Indexed {
  /** `hash53` of the name. */
  readonly hash: number;
  readonly index: number;
  /** `hash53` of the mark; 0 for none. */
  readonly mark: number;
}

/** The files that an index reads. */
export interface IndexedFiles {
  /** Undefined for a removed file. */
  facts(file: number): { readonly path: string; readonly facts: FileFacts } | undefined;
  /** Compares by path. */
  compare(a: number, b: number): number;
}

const NONE: readonly IndexEntry[] = [];
const NO_NUMBERS = new Int32Array(0);

/** An encoded entry: both halves of the hash of the name, then the index with 15 bits of the mark. */
const FIELDS = 3;
const MARK_BITS = 15;
const MARK_MASK = (1 << MARK_BITS) - 1;
const HALF = 4294967296;

const INITIAL_BUCKETS = 1024;
/** The maximum mean number of files per bucket; a bucket costs as much memory as two of its files. */
const MAX_BUCKET_LOAD = 8;
/** Numbers per step: about a millisecond. */
const STEP_NUMBERS = 50_000;

export type Collect = (path: string, facts: FileFacts) => readonly Indexed[];

interface NameIndexOptions {
  readonly collect: Collect;
  /** Called with the key of each name whose entries changed, once the index was read. */
  readonly changed: (key: number) => void;
  readonly files: IndexedFiles;
}

export class NameIndex {
  readonly #collect: Collect;
  readonly #noteChanged: (key: number) => void;
  readonly #files: IndexedFiles;
  /** Separates the keys of this index from other indexes. */
  readonly #salt: number;
  /** By file, its entries sorted by hash. */
  #entries = new NumberLists(Int32Array);
  /** By the low bits of a hash, the files with such a name. */
  #buckets = new NumberLists(Int32Array);
  #bucketCount = INITIAL_BUCKETS;
  /** False while the buckets are incomplete: after many added files they are built once for all. */
  #hasBuckets = false;
  /** Increases with each change of the entries. */
  #generation = 0;
  #size = 0;
  readonly #dirtyFiles = new Set<number>();
  #isRequested = false;
  /** Whether a name was ever looked up; before that, no result can be stale. */
  #wasRead = false;
  /** Look-ups by hash, until an entry of the hash changes. */
  readonly #cache = new Map<number, readonly IndexEntry[]>();

  constructor(kind: string, { collect, changed, files }: NameIndexOptions) {
    this.#collect = collect;
    this.#noteChanged = changed;
    this.#files = files;
    this.#salt = hash53(kind) | 0;
  }

  /** The key under which a name of this hash is read. */
  keyOf(hash: number): number {
    return (hash ^ this.#salt) | 0x80000000;
  }

  /** The entries of the hash of a name, ordered by path. Indexes all changed files first. */
  get(hash: number): readonly IndexEntry[] {
    this.request();
    this.#wasRead = true;
    if (!this.#isSettled) for (const _ of this.settle());
    let found = this.#cache.get(hash);
    if (found === undefined) {
      found = this.#find(hash);
      this.#cache.set(hash, found);
    }
    return found;
  }

  #find(hash: number): readonly IndexEntry[] {
    const files = [...this.#buckets.get(this.#bucketOf(hash | 0))];
    const found = files.map((file) => entriesIn(this.#entries.get(file), file, hash));
    const own = found.filter((each) => each.length > 0);
    if (own.length === 0) return NONE;
    return own.toSorted(([a], [b]) => this.#files.compare(a?.file ?? 0, b?.file ?? 0)).flat();
  }

  /** Requests indexing by `settle`, in steps, so that a later `get` does not block. */
  request(): void {
    this.#isRequested = true;
  }

  /** Notes that a file was added, changed or removed. */
  replace(file: number): void {
    this.#dirtyFiles.add(file);
  }

  get #isSettled(): boolean {
    return this.#dirtyFiles.size === 0 && this.#hasBuckets;
  }

  /** Indexes changed files, in steps, if the index is in use. */
  *settle(): Generator<void, void> {
    if (!this.#isRequested) return;
    // Files may change during a pause.
    while (!this.#isSettled) {
      for (const file of this.#dirtyFiles) {
        this.#dirtyFiles.delete(file);
        this.#reindex(file);
        yield;
      }
      if (!this.#hasBuckets) yield* this.#buildBuckets();
    }
  }

  /** The entries of all files, after `settle`; valid until the next change. */
  pack(): PackedArrays {
    return this.#entries.packInPlace();
  }

  /** Validates packed entries, before the first look-up; the result restores them. Throws DamagedArrays. */
  unpack(arrays: PackedArrays): () => void {
    const entries = NumberLists.unpack(arrays, Int32Array);
    return () => {
      this.#entries = entries;
      this.#size = entries.values.length / FIELDS;
      this.#generation++;
      this.#dirtyFiles.clear();
      this.#isRequested = true;
      this.#wasRead = true;
    };
  }

  /** Releases caches and spare capacity. */
  trim(): void {
    this.#cache.clear();
    this.#entries.compact();
    this.#buckets.compact();
  }

  #reindex(file: number): void {
    const before = this.#entries.get(file).slice();
    const known = this.#files.facts(file);
    const now =
      known === undefined ? NO_NUMBERS : toNumbers(this.#collect(known.path, known.facts));
    this.#size += (now.length - before.length) / FIELDS;
    this.#generation++;
    this.#entries.set(file, now);
    if (this.#size > this.#bucketCount * MAX_BUCKET_LOAD) this.#hasBuckets = false;
    const removedHashes: number[] = [];
    const addedHashes: number[] = [];
    for (let [old, own] = [0, 0]; old < before.length || own < now.length; ) {
      const order = compareAt(before, old, now, own);
      const hash = order > 0 ? hashAt(now, own) : hashAt(before, old);
      const oldEnd = order > 0 ? old : endOf(before, old);
      const ownEnd = order < 0 ? own : endOf(now, own);
      if (order < 0) removedHashes.push(hash | 0);
      else if (order > 0) addedHashes.push(hash | 0);
      const isChanged = order !== 0 || !hasSameMarks(before, old, oldEnd, now, own, ownEnd);
      if (isChanged && this.#wasRead) this.#noteChanged(this.keyOf(hash));
      this.#cache.delete(hash);
      old = oldEnd;
      own = ownEnd;
    }
    if (this.#hasBuckets) this.#moveBuckets(file, now, removedHashes, addedHashes);
  }

  /** Moves a file between buckets, by the low halves of its removed and added hashes. */
  #moveBuckets(
    file: number,
    now: Int32Array,
    removedHashes: readonly number[],
    addedHashes: readonly number[],
  ): void {
    const left = new Set(removedHashes.map((low) => this.#bucketOf(low)));
    if (left.size > 0)
      for (let at = 0; at < now.length; at += FIELDS)
        left.delete(this.#bucketOf(now[at] as number));
    for (const bucket of left)
      this.#buckets.set(
        bucket,
        this.#buckets.get(bucket).filter((one) => one !== file),
      );
    for (const bucket of new Set(addedHashes.map((low) => this.#bucketOf(low)))) {
      const files = this.#buckets.get(bucket);
      if (!files.includes(file)) this.#buckets.set(bucket, [...files, file]);
    }
  }

  /** Builds all buckets, in steps; starts over if entries change during a pause, and stops if another run was faster. */
  *#buildBuckets(): Generator<void, void> {
    while (!this.#isSettled && this.#dirtyFiles.size === 0) {
      const generation = this.#generation;
      let count = INITIAL_BUCKETS;
      while (this.#size > count * MAX_BUCKET_LOAD) count *= 4;
      const made = yield* buildBuckets(
        count,
        (put) => this.#eachInBucket(count, put),
        () => this.#generation === generation && !this.#hasBuckets,
      );
      if (made === undefined) continue;
      this.#bucketCount = count;
      this.#buckets = made;
      this.#hasBuckets = true;
    }
  }

  /** Puts each file once into each of its buckets, in steps. */
  *#eachInBucket(count: number, put: PutInBucket): Generator<void, void> {
    const last = new Int32Array(count).fill(-1);
    const isStep = createWorkCounter(STEP_NUMBERS);
    for (let file = 0; file < this.#entries.size; file++) {
      const list = this.#entries.get(file);
      for (let at = 0; at < list.length; at += FIELDS) {
        const bucket = (list[at] as number) & (count - 1);
        if (last[bucket] === file) continue;
        last[bucket] = file;
        put(bucket, file);
      }
      if (isStep(list.length)) yield;
    }
  }

  /** `low` is the low half of a hash. */
  #bucketOf(low: number): number {
    return low & (this.#bucketCount - 1);
  }
}

/** Encodes entries, sorted by hash; the sort is stable. */
function toNumbers(indexed: readonly Indexed[]): Int32Array<ArrayBuffer> {
  const sorted = indexed.toSorted((a, b) => a.hash - b.hash);
  const numbers = new Int32Array(sorted.length * FIELDS);
  let at = 0;
  for (const { hash, index, mark } of sorted) {
    numbers[at] = hash;
    numbers[at + 1] = Math.floor(hash / HALF);
    numbers[at + 2] = (index << MARK_BITS) | (mark & MARK_MASK);
    at += FIELDS;
  }
  return numbers;
}

function hashAt(list: ArrayLike<number>, at: number): number {
  return (list[at + 1] as number) * HALF + ((list[at] as number) >>> 0);
}

/** Negative if the first hash is smaller, or the second list has ended. */
function compareAt(before: Int32Array, old: number, now: Int32Array, own: number): number {
  if (old >= before.length) return 1;
  return own >= now.length ? -1 : hashAt(before, old) - hashAt(now, own);
}

/** The end of the entries of the hash at `start`. */
function endOf(list: Int32Array, start: number): number {
  let end = start + FIELDS;
  while (end < list.length && list[end] === list[start] && list[end + 1] === list[start + 1])
    end += FIELDS;
  return end;
}

function hasSameMarks(
  before: Int32Array,
  old: number,
  oldEnd: number,
  now: Int32Array,
  own: number,
  ownEnd: number,
): boolean {
  if (oldEnd - old !== ownEnd - own) return false;
  for (let at = 2; at < oldEnd - old; at += FIELDS)
    if ((((before[old + at] as number) ^ (now[own + at] as number)) & MARK_MASK) !== 0)
      return false;
  return true;
}

function entriesIn(list: Int32Array, file: number, hash: number): IndexEntry[] {
  let [from, to] = [0, list.length / FIELDS];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (hashAt(list, middle * FIELDS) < hash) from = middle + 1;
    else to = middle;
  }
  const found: IndexEntry[] = [];
  for (let at = from * FIELDS; at < list.length && hashAt(list, at) === hash; at += FIELDS) {
    const place = list[at + 2] as number;
    found.push({ file, index: place >>> MARK_BITS, mark: place & MARK_MASK });
  }
  return found;
}
