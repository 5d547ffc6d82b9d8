/** Definitions of all files by a name, as numbers, kept up to date file by file once somebody looks for one. */

import { hash53 } from "../../common/hash.ts";
import type { PackedArrays } from "../../common/packed/packed-arrays.ts";
import { createWorkCounter } from "../../common/work-counter.ts";
import type { FileFacts } from "../../contracts/facts.ts";
import type { Scratch } from "../../contracts/graph.ts";
import { makeBuckets, type PutInBucket } from "./buckets.ts";
import { PackedLists } from "./packed-lists.ts";

export interface IndexEntry {
  readonly file: number;
  readonly index: number;
  /** What others learn of it without looking at the definition itself: of one file, equal where it is. */
  readonly mark: number;
}

/** One entry of a file, as it is collected. */
export interface Indexed {
  /** `hash53` of the name. */
  readonly hash: number;
  readonly index: number;
  /** `hash53` of the mark; 0 for none. */
  readonly mark: number;
}

/** What an index asks of the files. */
export interface IndexedFiles {
  /** Undefined for a file that is gone. */
  facts(file: number): { readonly path: string; readonly facts: FileFacts } | undefined;
  /** In the order of their paths. */
  compare(a: number, b: number): number;
}

const NONE: readonly IndexEntry[] = [];
const NO_NUMBERS = new Int32Array(0);

/** An entry as numbers: both halves of the name's hash, then the index and 15 bits of the mark. */
const FIELDS = 3;
const MARK_BITS = 15;
const MARK_MASK = (1 << MARK_BITS) - 1;
const HALF = 4294967296;

const INITIAL_BUCKETS = 1024;
/** Files that a look-up searches, at most, on average; each bucket takes as much memory as two files in it. */
const MAX_BUCKET_LOAD = 8;
/** Entries that are put into buckets between two pauses: about a millisecond. */
const STEP_NUMBERS = 50_000;

export type Collect = (path: string, facts: FileFacts) => readonly Indexed[];

interface NameIndexOptions {
  readonly collect: Collect;
  /** Called with the key of each name under which something came, went or changed since somebody looked for one. */
  readonly changed: (key: number) => void;
  readonly files: IndexedFiles;
  readonly scratch: Scratch | undefined;
}

export class NameIndex {
  readonly #collect: Collect;
  readonly #noteChanged: (key: number) => void;
  readonly #files: IndexedFiles;
  /** Tells the keys of this index from those of others. */
  readonly #salt: number;
  /** The entries of each file, by hash. */
  readonly #entries: PackedLists<Int32Array<ArrayBuffer>>;
  /** The files that have a name whose hash ends with the bucket's number. */
  readonly #buckets: PackedLists<Int32Array<ArrayBuffer>>;
  #bucketCount = INITIAL_BUCKETS;
  /** Whether the buckets are of all entries: while many files come, they are made once for all of them. */
  #hasBuckets = false;
  /** Raised by each change of entries. */
  #generation = 0;
  #size = 0;
  readonly #waiting = new Set<number>();
  #isWanted = false;
  /** Whether a name was ever looked up: before that, no result can be stale. */
  #isAsked = false;
  /** What was looked for since a file that has it changed. */
  readonly #known = new Map<number, readonly IndexEntry[]>();

  constructor(kind: string, { collect, changed, files, scratch }: NameIndexOptions) {
    this.#collect = collect;
    this.#noteChanged = changed;
    this.#files = files;
    this.#entries = new PackedLists(Int32Array, scratch);
    this.#buckets = new PackedLists(Int32Array, scratch);
    this.#salt = hash53(kind) | 0;
  }

  /** The key under which a name of this hash is read. */
  keyOf(hash: number): number {
    return (hash ^ this.#salt) | 0x80000000;
  }

  /** By the hash of a name, in the order of the files' paths. What waits is indexed now, all of it at once. */
  get(hash: number): readonly IndexEntry[] {
    this.want();
    this.#isAsked = true;
    if (!this.#isSettled) for (const _ of this.settle());
    let found = this.#known.get(hash);
    if (found === undefined) {
      found = this.#find(hash);
      this.#known.set(hash, found);
    }
    return found;
  }

  #find(hash: number): readonly IndexEntry[] {
    const files = [...this.#buckets.get(this.#bucketOf(hash | 0))];
    const found = files.map((file) => entriesIn(this.#entries.get(file), file, hash));
    const own = found.filter((entries) => entries.length > 0);
    if (own.length === 0) return NONE;
    return own.toSorted(([a], [b]) => this.#files.compare(a?.file ?? 0, b?.file ?? 0)).flat();
  }

  /** Somebody will look for a name: to index all files takes a while, and is better done before that in steps. */
  want(): void {
    this.#isWanted = true;
  }

  /** A file has changed, come or gone. */
  replace(file: number): void {
    this.#waiting.add(file);
  }

  get #isSettled(): boolean {
    return this.#waiting.size === 0 && this.#hasBuckets;
  }

  /** Indexes what waits, file by file, where somebody looks for names at all. */
  *settle(): Generator<void, void> {
    if (!this.#isWanted) return;
    // More may wait after each pause.
    while (!this.#isSettled) {
      for (const file of this.#waiting) {
        this.#waiting.delete(file);
        this.#exchange(file);
        yield;
      }
      if (!this.#hasBuckets) yield* this.#makeBuckets();
    }
  }

  /** The names of all files once they are settled, as long as nothing changes. */
  pack(): PackedArrays {
    return this.#entries.pack();
  }

  /** Before anybody has looked for a name: looks at what `pack` gave; the result takes it over. Throws DamagedArrays. */
  unpack(arrays: PackedArrays): () => void {
    const takeOver = this.#entries.unpack(arrays);
    return () => {
      takeOver();
      this.#size = this.#entries.numbers.length / FIELDS;
      this.#generation++;
      this.#waiting.clear();
      this.#isWanted = true;
      this.#isAsked = true;
    };
  }

  /** Forgets what is quickly found again. */
  trim(): void {
    this.#known.clear();
    this.#entries.trim();
    this.#buckets.trim();
  }

  #exchange(file: number): void {
    const before = this.#entries.get(file).slice();
    const known = this.#files.facts(file);
    const now =
      known === undefined ? NO_NUMBERS : toNumbers(this.#collect(known.path, known.facts));
    this.#size += (now.length - before.length) / FIELDS;
    this.#generation++;
    this.#entries.set(file, now);
    if (this.#size > this.#bucketCount * MAX_BUCKET_LOAD) this.#hasBuckets = false;
    const gone: number[] = [];
    const come: number[] = [];
    for (let [old, own] = [0, 0]; old < before.length || own < now.length; ) {
      const order = compareAt(before, old, now, own);
      const hash = order > 0 ? hashAt(now, own) : hashAt(before, old);
      const oldEnd = order > 0 ? old : endOf(before, old);
      const ownEnd = order < 0 ? own : endOf(now, own);
      if (order < 0) gone.push(hash | 0);
      else if (order > 0) come.push(hash | 0);
      const isChanged = order !== 0 || !hasSameMarks(before, old, oldEnd, now, own, ownEnd);
      if (isChanged && this.#isAsked) this.#noteChanged(this.keyOf(hash));
      this.#known.delete(hash);
      old = oldEnd;
      own = ownEnd;
    }
    if (this.#hasBuckets) this.#moveBuckets(file, now, gone, come);
  }

  /** By the lower halves of the hashes that a file had, and of those that it has now. */
  #moveBuckets(
    file: number,
    now: Int32Array,
    gone: readonly number[],
    come: readonly number[],
  ): void {
    const left = new Set(gone.map((low) => this.#bucketOf(low)));
    if (left.size > 0)
      for (let at = 0; at < now.length; at += FIELDS)
        left.delete(this.#bucketOf(now[at] as number));
    for (const bucket of left)
      this.#buckets.set(
        bucket,
        this.#buckets.get(bucket).filter((one) => one !== file),
      );
    for (const bucket of new Set(come.map((low) => this.#bucketOf(low)))) {
      const files = this.#buckets.get(bucket);
      if (!files.includes(file)) this.#buckets.set(bucket, [...files, file]);
    }
  }

  /** In steps; given up where they were made meanwhile, and begun again where entries changed. */
  *#makeBuckets(): Generator<void, void> {
    while (!this.#isSettled && this.#waiting.size === 0) {
      const generation = this.#generation;
      let count = INITIAL_BUCKETS;
      while (this.#size > count * MAX_BUCKET_LOAD) count *= 4;
      const made = yield* makeBuckets(
        count,
        (put) => this.#eachInBucket(count, put),
        () => this.#generation === generation && !this.#hasBuckets,
      );
      if (made === undefined) continue;
      this.#bucketCount = count;
      this.#buckets.fill(made.lengths, made.files);
      this.#hasBuckets = true;
    }
  }

  /** Each file once in each bucket that it is in, in steps. */
  *#eachInBucket(count: number, put: PutInBucket): Generator<void, void> {
    const last = new Int32Array(count).fill(-1);
    const isStep = createWorkCounter(STEP_NUMBERS);
    for (let file = 0; file < this.#entries.count; file++) {
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

  /** By the lower half of a hash. */
  #bucketOf(low: number): number {
    return low & (this.#bucketCount - 1);
  }
}

/** By hash; the entries of one name stay in their order. */
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

/** Below 0 where the first hash is the smaller one, or the only one. */
function compareAt(before: Int32Array, old: number, now: Int32Array, own: number): number {
  if (old >= before.length) return 1;
  return own >= now.length ? -1 : hashAt(before, old) - hashAt(now, own);
}

/** Behind the entries of one name. */
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
