/** Hashes of text that are the same on every machine. They are not cryptographic. */

/** The initial values of two independent hashes: FNV-1a, and a variant of murmur2. */
export const FIRST_START = 0x811c9dc5;
const SECOND_START = 0x9747b28c;

/** Adds one UTF-16 code unit to an FNV-1a hash. Returns a signed 32-bit number; its low bits are mixed best. */
export function nextFirst(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

function nextSecond(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x5bd1e995) ^ (hash >>> 15);
}

/** FNV-1a over UTF-16 code units, as a signed 32-bit number. */
export function fnv1a(text: string): number {
  return firstOf(FIRST_START, text);
}

/** Spreads every bit over all 32 bits (the finalizer of murmur3). Signed. */
export function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** A hash below 2 ** 53. A collision among a million texts has a probability of 1 in 18,000. */
export function hash53(text: string): number {
  return hashFrom(FIRST_START, SECOND_START, text);
}

/** Computes `hash53` of texts with a common prefix, which is hashed once. */
export function hash53After(start: string): (rest: string) => number {
  const first = firstOf(FIRST_START, start);
  const second = secondOf(SECOND_START, start);
  return (rest) => hashFrom(first, second, rest);
}

/** `hash53` of a text followed by lists of 32-bit integers. */
export function hash53With(text: string, lists: readonly ArrayLike<number>[]): number {
  let first = firstOf(FIRST_START, text);
  let second = secondOf(SECOND_START, text);
  const add = (unit: number) => {
    first = nextFirst(first, unit);
    second = nextSecond(second, unit);
  };
  for (const list of lists) {
    add(list.length);
    for (let i = 0; i < list.length; i++) {
      const number = list[i] as number;
      add(number & 0xffff);
      add(number >>> 16);
    }
  }
  return joined(first, second);
}

function hashFrom(first: number, second: number, text: string): number {
  return joined(firstOf(first, text), secondOf(second, text));
}

function joined(first: number, second: number): number {
  const low = mix(first);
  return (mix(second ^ low) >>> 11) * 2 ** 32 + (low >>> 0);
}

function firstOf(start: number, text: string): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = nextFirst(hash, text.charCodeAt(i));
  return hash;
}

function secondOf(start: number, text: string): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = nextSecond(hash, text.charCodeAt(i));
  return hash;
}
