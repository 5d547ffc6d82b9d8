/** A Bloom filter of words: a word that is in it is always found, and another one hardly ever. */

import { FIRST_START, nextFirst, nextSecond, SECOND_START } from "./hash.ts";

/** Twelve bits for each of the 196 thousand words of o200k: one question of 300 is answered wrongly. */
export const FILTER_BYTES = 293_000;
const BITS = FILTER_BYTES * 8;
const PROBES = 8;

export function addToFilter(filter: Uint8Array, word: string): void {
  let hash: Hash = START;
  for (let i = 0; i < word.length; i++) hash = next(hash, word.charCodeAt(i));
  for (let i = 0; i < PROBES; i++) {
    const bit = probe(hash, i);
    filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }
}

/** The length of the longest word at `start` that ends at `end` or before; 0 where none begins there. */
export function longestWord(filter: Uint8Array, text: string, start: number, end: number): number {
  let hash: Hash = START;
  let longest = 0;
  for (let at = start; at < end; at++) {
    hash = next(hash, text.charCodeAt(at));
    if (has(filter, hash)) longest = at + 1 - start;
  }
  return longest;
}

/** Two independent hashes, from which all probes are made. */
interface Hash {
  readonly a: number;
  readonly b: number;
}

const START: Hash = { a: FIRST_START, b: SECOND_START };

function next({ a, b }: Hash, code: number): Hash {
  return { a: nextFirst(a, code), b: nextSecond(b, code) };
}

function has(filter: Uint8Array, hash: Hash): boolean {
  for (let i = 0; i < PROBES; i++) {
    const bit = probe(hash, i);
    if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

function probe({ a, b }: Hash, i: number): number {
  const mixed = Math.imul((a ^ (a >>> 13)) + Math.imul(i, b | 1), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % BITS;
}
