/**
 * Interns strings as consecutive numbers from 0: an open-addressing hash table in a few typed arrays, without an object
 * per string.
 */

import { isAscii } from "../ascii.ts";
import { FIRST_START, fnv1a, nextFirst } from "../hash.ts";
import { containsInOrder } from "../text.ts";
import {
  DamagedArrays,
  grown,
  grownBytes,
  type NumberArray,
  type PackedArrays,
  takeArray,
} from "./packed-arrays.ts";

const FIRST_SLOTS = 16;

/** The hash of a well-formed text. */
export function hashOfString(text: string): number {
  return folded(fnv1a(text));
}

/** Folds the hash, because its lowest bits choose the slot. */
function folded(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Replaces lone surrogates, which UTF-8 cannot encode. */
function wellFormed(text: string): string {
  return isAscii(text) ? text : text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

/** The number of UTF-16 units of the character that begins with this byte of UTF-8; 0 for a continuation byte. */
function unitsAt(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return 0;
  return byte < 0xf0 ? 1 : 2;
}

export class StringTable {
  #bytes = Buffer.allocUnsafeSlow(64);
  /** The end of each string in `#bytes`. A string begins at the end of the one before it. */
  #ends = new Uint32Array(8);
  #hashes = new Uint32Array(8);
  #size = 0;
  /** Slots by hash with linear probing: the number of the string plus one, or 0 for a free slot. */
  #slots = new Int32Array(FIRST_SLOTS);
  readonly #repeated = new Map<number, string>();

  /** Restores a packed table. Throws DamagedArrays if the arrays are not valid. */
  static unpack(arrays: PackedArrays): StringTable {
    const table = new StringTable();
    const ends = takeArray(arrays, "ends", Uint32Array);
    const bytes = takeArray(arrays, "bytes", Uint8Array, ends.at(-1) ?? 0);
    const slots = takeArray(arrays, "slots", Int32Array);
    table.#size = ends.length;
    table.#ends = ends;
    table.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    table.#hashes = takeArray(arrays, "hashes", Uint32Array, ends.length);
    table.#slots = slots;
    table.#check();
    return table;
  }

  /** Views of the arrays, valid until the next change. */
  pack(): PackedArrays {
    const end = this.#end(this.#size - 1);
    return new Map<string, NumberArray>([
      ["ends", this.#ends.subarray(0, this.#size)],
      ["bytes", new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset, end)],
      ["hashes", this.#hashes.subarray(0, this.#size)],
      ["slots", this.#slots],
    ]);
  }

  get size(): number {
    return this.#size;
  }

  /** The number of a string, or -1. */
  find(text: string): number {
    const known = wellFormed(text);
    return (this.#slots[this.#slotOf(known, hashOfString(known))] as number) - 1;
  }

  /** The number of a string. A new string gets the next number. */
  intern(text: string): number {
    const known = wellFormed(text);
    const hash = hashOfString(known);
    const slot = this.#slotOf(known, hash);
    const found = (this.#slots[slot] as number) - 1;
    return found >= 0 ? found : this.#add(known, hash, slot);
  }

  /** Like `intern`, for a part of ASCII text, without creating a string. */
  internPart(text: string, start: number, end: number): number {
    let first = FIRST_START;
    for (let i = start; i < end; i++) first = nextFirst(first, text.charCodeAt(i));
    const hash = folded(first);
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = (slots[slot] as number) - 1;
      if (id < 0) return this.#add(text.slice(start, end), hash, slot);
      if (this.#hashes[id] === hash && this.#hasUnits(id, text, start, end)) return id;
    }
  }

  /** Like `intern`, for UTF-8 bytes from `start` to `end`, with the hash of their text. */
  internBytes(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = (slots[slot] as number) - 1;
      if (id < 0) {
        const own = this.#makeRoom(end - start);
        this.#bytes.set(bytes.subarray(start, end), this.#end(own - 1));
        return this.#enter(own, end - start, hash, slot);
      }
      if (this.#hashes[id] === hash && this.#hasBytes(id, bytes, start, end)) return id;
    }
  }

  text(id: number): string {
    return this.#bytes.toString("utf8", this.#end(id - 1), this.#end(id));
  }

  hash(id: number): number {
    return this.#hashes[id] as number;
  }

  /** The length in UTF-16 units. */
  length(id: number): number {
    let length = 0;
    const end = this.#end(id);
    for (let at = this.#end(id - 1); at < end; at++) length += unitsAt(this.#bytes[at] as number);
    return length;
  }

  /** The length in UTF-8. */
  byteLength(id: number): number {
    return this.#end(id) - this.#end(id - 1);
  }

  /** Writes the string in UTF-8 and returns its end. */
  write(id: number, target: Uint8Array, start: number): number {
    const end = this.#end(id);
    let to = start;
    // Most strings are too short for `copy` to be faster.
    for (let at = this.#end(id - 1); at < end; at++) target[to++] = this.#bytes[at] as number;
    return to;
  }

  /** Like `text`, for a string that is read often: the string is created once and cached. */
  repeated(id: number): string {
    let text = this.#repeated.get(id);
    if (text === undefined) {
      text = this.text(id);
      this.#repeated.set(id, text);
    }
    return text;
  }

  /** All strings in the order of their numbers. */
  *texts(): Iterable<string> {
    for (let id = 0; id < this.#size; id++) yield this.text(id);
  }

  /** Whether a string begins with a prefix. */
  startsWith(id: number, start: string): boolean {
    const from = this.#end(id - 1);
    if (this.#end(id) - from < start.length) return false;
    for (let i = 0; i < start.length; i++) {
      const byte = this.#bytes[from + i] as number;
      if (byte >= 128) return this.text(id).startsWith(start);
      if (byte !== start.charCodeAt(i)) return false;
    }
    return true;
  }

  /** Whether a string contains these characters in this order, possibly with others between them (subsequence). */
  hasInOrder(id: number, characters: string): boolean {
    let found = 0;
    const end = this.#end(id);
    for (let at = this.#end(id - 1); at < end && found < characters.length; at++) {
      const byte = this.#bytes[at] as number;
      if (byte >= 128) return containsInOrder(this.text(id), characters);
      if (byte === characters.charCodeAt(found)) found++;
    }
    return found === characters.length;
  }

  #end(id: number): number {
    return id < 0 ? 0 : (this.#ends[id] as number);
  }

  /** The slot of a string, or the free slot for it. */
  #slotOf(text: string, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = (slots[slot] as number) - 1;
      if (id < 0 || (this.#hashes[id] === hash && this.#is(id, text))) return slot;
    }
  }

  #is(id: number, text: string): boolean {
    const from = this.#end(id - 1);
    // Only ASCII text has as many bytes as characters.
    if (this.#end(id) - from !== text.length) return this.text(id) === text;
    return this.#hasUnits(id, text, 0, text.length);
  }

  #hasUnits(id: number, text: string, start: number, end: number): boolean {
    const from = this.#end(id - 1) - start;
    if (this.#end(id) - from !== end) return false;
    for (let i = start; i < end; i++) {
      if (this.#bytes[from + i] !== text.charCodeAt(i)) return false;
    }
    return true;
  }

  #hasBytes(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#end(id - 1);
    if (this.#end(id) - from !== end - start) return false;
    for (let i = 0; i < end - start; i++) {
      if (this.#bytes[from + i] !== bytes[start + i]) return false;
    }
    return true;
  }

  #add(text: string, hash: number, slot: number): number {
    const length = Buffer.byteLength(text);
    const id = this.#makeRoom(length);
    this.#bytes.write(text, this.#end(id - 1));
    return this.#enter(id, length, hash, slot);
  }

  /** Reserves space for one more string of this many bytes and returns its number. */
  #makeRoom(length: number): number {
    const id = this.#size;
    if (id >= this.#ends.length) {
      this.#ends = grown(this.#ends, id + 1);
      this.#hashes = grown(this.#hashes, id + 1);
    }
    const start = this.#end(id - 1);
    if (start + length > this.#bytes.length) this.#bytes = grownBytes(this.#bytes, start + length);
    return id;
  }

  /** Enters a string whose bytes are already in place. */
  #enter(id: number, length: number, hash: number, slot: number): number {
    this.#size = id + 1;
    this.#ends[id] = this.#end(id - 1) + length;
    this.#hashes[id] = hash;
    this.#slots[slot] = id + 1;
    if (this.#size * 2 > this.#slots.length) this.#rehash(this.#slots.length * 2);
    return id;
  }

  #rehash(length: number): void {
    const slots = new Int32Array(length);
    const mask = length - 1;
    for (let id = 0; id < this.#size; id++) {
      let slot = (this.#hashes[id] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots = slots;
  }

  #check(): void {
    let isRight = true;
    for (let id = 0; id < this.#size; id++) isRight &&= this.#end(id - 1) <= this.#end(id);
    const { length } = this.#slots;
    isRight &&= length >= FIRST_SLOTS && (length & (length - 1)) === 0;
    let taken = 0;
    for (let slot = 0; slot < length; slot++) {
      const value = this.#slots[slot] as number;
      isRight &&= value >= 0 && value <= this.#size;
      if (value !== 0) taken++;
    }
    // At least one slot must be free, or a search would not terminate.
    if (!isRight || taken !== this.#size || taken * 2 > length) {
      throw new DamagedArrays("a table of strings is damaged");
    }
  }
}
