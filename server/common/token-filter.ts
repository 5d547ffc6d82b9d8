/** A Bloom filter of the words of a tokenizer: it has no false negatives and few false positives. */

import { FIRST_START, nextFirst, nextSecond, SECOND_START } from "./hash.ts";

/** Twelve bits for each of the 196,000 words of o200k: one false positive in 300. */
export const FILTER_BYTES = 293_000;
const BITS = FILTER_BYTES * 8;
const PROBES = 8;

export function addToFilter(filter: Uint8Array, word: string): void {
  let a = FIRST_START;
  let b = SECOND_START;
  for (let i = 0; i < word.length; i++) {
    a = nextFirst(a, word.charCodeAt(i));
    b = nextSecond(b, word.charCodeAt(i));
  }
  for (let i = 0; i < PROBES; i++) {
    const bit = probe(a, b, i);
    filter[bit >>> 3] = (filter[bit >>> 3] as number) | (1 << (bit & 7));
  }
}

/** The length of the longest word that begins at `start` and ends at most at `end`; 0 if there is none. */
export function longestWord(filter: Uint8Array, text: string, start: number, end: number): number {
  let a = FIRST_START;
  let b = SECOND_START;
  let longest = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    a = nextFirst(a, code);
    b = nextSecond(b, code);
    if (has(filter, a, b)) longest = at + 1 - start;
  }
  return longest;
}

/** Derives all probes from two independent hashes of a word (double hashing). */
function has(filter: Uint8Array, a: number, b: number): boolean {
  for (let i = 0; i < PROBES; i++) {
    const bit = probe(a, b, i);
    if (((filter[bit >>> 3] as number) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

function probe(a: number, b: number, i: number): number {
  const mixed = Math.imul((a ^ (a >>> 13)) + Math.imul(i, b | 1), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % BITS;
}
