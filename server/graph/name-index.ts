/** Definitions of all files by a name, as numbers, kept up to date file by file once somebody looks for one. */

import { hash53 } from "../common/hash.ts";
import type { FileFacts } from "../contracts/facts.ts";
import type { Scratch } from "../contracts/graph.ts";
import { PackedLists } from "./packed-lists.ts";

export interface IndexEntry {
  readonly file: number;
  readonly index: number;
  /** What others learn of it without looking at the definition itself: of one file, equal where it is. */
  readonly mark: number;
}

interface Indexed {
  readonly name: string;
  readonly index: number;
  readonly mark: string;
}

/** What an index asks of the files. */
export interface IndexedFiles {
  /** Undefined for a file that is gone. */
  facts(file: number): { readonly path: string; readonly facts: FileFacts } | undefined;
  /** In the order of their paths. */
  compare(a: number, b: number): number;
}

const NONE: readonly IndexEntry[] = [];
const NO_KEYS: ReadonlySet<number> = new Set();

/** An entry as numbers: both halves of the name's hash, then the index and 15 bits of the mark. */
const FIELDS = 3;
const MARK_BITS = 15;
const MARK_MASK = (1 << MARK_BITS) - 1;
const HALF = 4294967296;

const INITIAL_BUCKETS = 1024;
/** A look-up searches so many files at most on average; each bucket costs as much as two files in it. */
const MAX_BUCKET_LOAD = 8;

export type Collect = (path: string, facts: FileFacts) => readonly Indexed[];

interface NameIndexOptions {
  readonly collect: Collect;
  readonly files: IndexedFiles;
  readonly scratch: Scratch | undefined;
}

export class NameIndex {
  readonly #collect: Collect;
  readonly #files: IndexedFiles;
  /** Tells the keys of this index from those of others. */
  readonly #salt: number;
  /** The entries of each file, by hash. */
  readonly #entries: PackedLists<Int32Array<ArrayBuffer>>;
  /** The files that have a name whose hash ends with the bucket's number. */
  readonly #buckets: PackedLists<Int32Array<ArrayBuffer>>;
  #bucketCount = INITIAL_BUCKETS;
  #size = 0;
  readonly #waiting = new Set<number>();
  #changed = new Set<number>();
  #isWanted = false;
  /** What was looked for since a file that has it changed. */
  readonly #known = new Map<number, readonly IndexEntry[]>();

  constructor(kind: string, { collect, files, scratch }: NameIndexOptions) {
    this.#collect = collect;
    this.#files = files;
    this.#entries = new PackedLists(Int32Array, scratch);
    this.#buckets = new PackedLists(Int32Array, scratch);
    this.#salt = hash53(kind) | 0;
  }

  /** The key under which a name is read. */
  keyOf(name: string): number {
    return this.#keyOfHash(hash53(name));
  }

  #keyOfHash(hash: number): number {
    return (hash ^ this.#salt) | 0x80000000;
  }

  /** In the order of the files' paths. What waits is indexed now, all of it at once. */
  get(name: string): readonly IndexEntry[] {
    this.want();
    for (const _ of this.settle());
    const hash = hash53(name);
    let found = this.#known.get(hash);
    if (found === undefined) {
      found = this.#find(hash);
      this.#known.set(hash, found);
    }
    return found;
  }

  #find(hash: number): readonly IndexEntry[] {
    const files = [...this.#buckets.get(this.#bucketOf(hash))];
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

  /** Indexes what waits, file by file, where somebody looks for names at all. */
  *settle(): Generator<void, void> {
    if (!this.#isWanted) return;
    for (const file of this.#waiting) {
      this.#waiting.delete(file);
      this.#exchange(file);
      yield;
    }
  }

  /** The keys of names under which something came, went or changed since this was asked before. */
  takeChanged(): ReadonlySet<number> {
    for (const _ of this.settle());
    if (this.#changed.size === 0) return NO_KEYS;
    const taken = this.#changed;
    this.#changed = new Set();
    return taken;
  }

  /** Forgets what is quickly found again. */
  trim(): void {
    this.#known.clear();
    this.#entries.trim();
    this.#buckets.trim();
  }

  #exchange(file: number): void {
    const old = byHash(this.#entries.get(file));
    const known = this.#files.facts(file);
    const list = known === undefined ? [] : toNumbers(this.#collect(known.path, known.facts));
    const now = byHash(list);
    this.#size += (list.length - this.#entries.lengthOf(file)) / FIELDS;
    this.#entries.set(file, list);
    this.#moveBuckets(file, old, now);
    for (const hash of new Set([...old.keys(), ...now.keys()])) {
      this.#known.delete(hash);
      if (old.get(hash) !== now.get(hash)) this.#changed.add(this.#keyOfHash(hash));
    }
  }

  #moveBuckets(
    file: number,
    old: ReadonlyMap<number, string>,
    now: ReadonlyMap<number, string>,
  ): void {
    if (this.#size > this.#bucketCount * MAX_BUCKET_LOAD) {
      this.#makeBuckets(this.#bucketCount * 4);
      return;
    }
    const buckets = (hashes: Iterable<number>) =>
      new Set([...hashes].map((hash) => this.#bucketOf(hash)));
    const [from, to] = [buckets(old.keys()), buckets(now.keys())];
    for (const bucket of from)
      if (!to.has(bucket))
        this.#buckets.set(
          bucket,
          this.#buckets.get(bucket).filter((one) => one !== file),
        );
    for (const bucket of to)
      if (!from.has(bucket)) this.#buckets.set(bucket, [...this.#buckets.get(bucket), file]);
  }

  #makeBuckets(count: number): void {
    this.#bucketCount = count;
    const buckets = new Map<number, Set<number>>();
    for (let file = 0; file < this.#entries.count; file++) {
      for (const hash of byHash(this.#entries.get(file)).keys()) {
        const bucket = this.#bucketOf(hash);
        const files = buckets.get(bucket) ?? new Set();
        buckets.set(bucket, files.add(file));
      }
    }
    this.#buckets.clear();
    for (const [bucket, files] of buckets) this.#buckets.set(bucket, [...files]);
  }

  #bucketOf(hash: number): number {
    return hash % this.#bucketCount;
  }
}

/** By hash; the entries of one name stay in their order. */
function toNumbers(indexed: readonly Indexed[]): number[] {
  return indexed
    .map(({ name, index, mark }) => ({ hash: hash53(name), index, mark }))
    .toSorted((a, b) => a.hash - b.hash)
    .flatMap(({ hash, index, mark }) => [
      hash | 0,
      Math.floor(hash / HALF),
      (index << MARK_BITS) | (mark === "" ? 0 : hash53(mark) & MARK_MASK),
    ]);
}

function hashAt(list: ArrayLike<number>, at: number): number {
  return (list[at + 1] as number) * HALF + ((list[at] as number) >>> 0);
}

/** Of each name its marks, as one text. */
function byHash(list: ArrayLike<number>): Map<number, string> {
  const marks = new Map<number, string>();
  for (let at = 0; at < list.length; at += FIELDS) {
    const hash = hashAt(list, at);
    marks.set(hash, `${marks.get(hash) ?? ""} ${(list[at + 2] as number) & MARK_MASK}`);
  }
  return marks;
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
