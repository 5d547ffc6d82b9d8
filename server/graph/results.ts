/** What was read for the result of each file: tells which of them a change concerns. */

import { mix } from "../common/hash.ts";
import type { Scratch } from "../contracts/graph.ts";
import { PackedLists } from "./packed-lists.ts";
import type { Recording } from "./reads.ts";

/** So few changes are looked up in the keys of a file; of more, the keys are looked up among the changes. */
const MAX_LOOK_UPS = 16;

/** As much is kept of a key: of a thousand files that read a thousand keys each, one is made again for nothing per 16 changed keys. */
const KEY_BYTES = 3;

export class Results {
  /** By file, shortened and ascending. */
  readonly #keys: PackedLists<Uint8Array<ArrayBuffer>>;
  readonly #missing = new Set<number>();

  constructor(scratch?: Scratch) {
    this.#keys = new PackedLists(Uint8Array, scratch);
  }

  /** The result of a file was made. */
  set(file: number, { keys }: Recording): void {
    this.#keys.set(file, packKeys(keys));
    this.#missing.delete(file);
  }

  delete(file: number): void {
    this.#keys.set(file, []);
    this.#missing.delete(file);
  }

  /** The result of a file is to be made, or made again. */
  invalidate(file: number): void {
    this.#missing.add(file);
  }

  /** Invalidates all results for which one of the keys was read. */
  invalidateReaders(changed: ReadonlySet<number>): void {
    if (changed.size === 0) return;
    const short = new Set([...changed].map(shortKey));
    const few = short.size <= MAX_LOOK_UPS ? [...short] : undefined;
    // Without a view for each file: to make these takes longer than to look into them.
    const { numbers, count } = this.#keys;
    for (let file = 0; file < count; file++) {
      const start = this.#keys.startOf(file);
      const end = start + this.#keys.lengthOf(file);
      const isConcerned =
        few === undefined
          ? hasAny(numbers, start, end, short)
          : few.some((key) => includesSorted(numbers, start, end, key));
      if (isConcerned) this.#missing.add(file);
    }
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

function hasAny(
  keys: Uint8Array,
  start: number,
  end: number,
  wanted: ReadonlySet<number>,
): boolean {
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
