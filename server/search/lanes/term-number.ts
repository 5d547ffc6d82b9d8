/** Terms as numbers, for rows that hold very many of them. */

/** FNV-1a's start and factor. */
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * A signed 32-bit number, the same on every machine. Of half a million words about thirty pairs share one, too few for
 * any ranking to show it.
 */
export function termNumber(term: string): number {
  let hash = OFFSET;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), PRIME);
  // Short words differ in few bits: mix them into all (murmur3's finish).
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}
