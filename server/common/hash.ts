/** Hashes of text that are the same on every machine; none of them keeps anything secret. */

/** FNV-1a's start and factor. */
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
/** The start and factor of a second hash of the same text, which knows nothing of the first. */
const SECOND_OFFSET = 0x9747b28c;
const SECOND_PRIME = 0x5bd1e995;

/** FNV-1a over UTF-16 code units: a signed number of 32 bits, of which the lowest are the best mixed. */
export function fnv1a(text: string): number {
  let hash = OFFSET;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash;
}

/** Each bit of a number of 32 bits into all of them (murmur3's finish); signed. */
export function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** A number from 0 up to 2 ** 53: of a million texts, two have the same one once in 18,000 times. */
export function hash53(text: string): number {
  let second = SECOND_OFFSET;
  for (let i = 0; i < text.length; i++)
    second = Math.imul(second ^ text.charCodeAt(i), SECOND_PRIME) ^ (second >>> 15);
  const low = mix(fnv1a(text));
  return (mix(second ^ low) >>> 11) * 2 ** 32 + (low >>> 0);
}
