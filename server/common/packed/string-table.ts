/** Numbers strings from 0 on: a hash table in a few arrays of numbers, instead of an object for each string. */

import { isAscii } from "../ascii.ts";
import { FIRST_START, fnv1a, nextFirst } from "../hash.ts";
import {
  DamagedArrays,
  grown,
  grownBytes,
  type NumberArray,
  type PackedArrays,
  takeArray,
} from "./packed-arrays.ts";

const FIRST_SLOTS = 16;

/** Of a well-formed text. */
function stringHash(text: string): number {
  return folded(fnv1a(text));
}

/** The lowest bits choose the place in the table. */
function folded(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** UTF-8 has no half of a surrogate pair. */
function wellFormed(text: string): string {
  return isAscii(text) ? text : text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

/** Of the character that begins with this byte of UTF-8; none for a byte that continues one. */
function unitsAt(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return 0;
  return byte < 0xf0 ? 1 : 2;
}

function isInOrder(text: string, characters: string): boolean {
  let found = 0;
  for (let i = 0; i < text.length && found < characters.length; i++) {
    if (text[i] === characters[found]) found++;
  }
  return found === characters.length;
}

export class StringTable {
  #bytes = Buffer.allocUnsafeSlow(64);
  /** Of each string's bytes; a string begins where the one before it ends. */
  #ends = new Uint32Array(8);
  #hashes = new Uint32Array(8);
  #size = 0;
  /** By hash, with the next free place where it is taken: a string's number plus one, 0 where there is none. */
  #slots = new Int32Array(FIRST_SLOTS);
  readonly #repeated = new Map<number, string>();

  /** The table that `pack` gave; throws DamagedArrays where it cannot be that. */
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

  /** As long as the table is not changed. */
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

  /** The number of a string; -1 where it has none. */
  find(text: string): number {
    const known = wellFormed(text);
    return (this.#slots[this.#slotOf(known, stringHash(known))] as number) - 1;
  }

  /** The number of a string, which gets the next one where it has none. */
  intern(text: string): number {
    const known = wellFormed(text);
    const hash = stringHash(known);
    const slot = this.#slotOf(known, hash);
    const found = (this.#slots[slot] as number) - 1;
    return found >= 0 ? found : this.#add(known, hash, slot);
  }

  /** The same for a part of ASCII text, of which no string is made. */
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

  /** The same for bytes from `start` to `end`, of which the text has this hash. */
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

  /** As its text would say. */
  length(id: number): number {
    let length = 0;
    const end = this.#end(id);
    for (let at = this.#end(id - 1); at < end; at++) length += unitsAt(this.#bytes[at] as number);
    return length;
  }

  /** In UTF-8. */
  byteLength(id: number): number {
    return this.#end(id) - this.#end(id - 1);
  }

  /** Writes the string in UTF-8; returns where it ends. */
  write(id: number, target: Uint8Array, start: number): number {
    const end = this.#end(id);
    let to = start;
    // Most are too short for a copy by the platform to be quicker.
    for (let at = this.#end(id - 1); at < end; at++) target[to++] = this.#bytes[at] as number;
    return to;
  }

  /** The same for one that is asked for again and again: it is made once, and kept. */
  repeated(id: number): string {
    let text = this.#repeated.get(id);
    if (text === undefined) {
      text = this.text(id);
      this.#repeated.set(id, text);
    }
    return text;
  }

  /** All of them, in the order of their numbers. */
  *texts(): Iterable<string> {
    for (let id = 0; id < this.#size; id++) yield this.text(id);
  }

  /** Whether a string begins with another; as a string of its own would say. */
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

  /** Whether a string has these characters in their order, with others between them. */
  hasInOrder(id: number, characters: string): boolean {
    let found = 0;
    const end = this.#end(id);
    for (let at = this.#end(id - 1); at < end && found < characters.length; at++) {
      const byte = this.#bytes[at] as number;
      if (byte >= 128) return isInOrder(this.text(id), characters);
      if (byte === characters.charCodeAt(found)) found++;
    }
    return found === characters.length;
  }

  #end(id: number): number {
    return id < 0 ? 0 : (this.#ends[id] as number);
  }

  /** Where a string is, or would be. */
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
    // Only what is ASCII has as many bytes as characters.
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

  /** For one more string of this many bytes; gives its number. */
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

  /** A string whose bytes are where they belong. */
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
    // With a free place, every search for a string comes to an end.
    if (!isRight || taken !== this.#size || taken * 2 > length) {
      throw new DamagedArrays("a table of strings is damaged");
    }
  }
}
