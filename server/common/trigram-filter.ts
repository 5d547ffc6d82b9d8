/** Says quickly that a text cannot have another one in it: a Bloom filter of its trigrams, with one hash. */

/** The golden ratio as a fraction of 2^32: the upper bits of the product are spread well. */
const MULTIPLIER = 0x9e_37_79_b1;
/** At least, per UTF-16 unit. Code repeats itself: a fifth of the bits of a file of rails are set. */
const BITS_PER_UNIT = 2;
const MIN_BITS_LOG = 8;
const MAX_BITS_LOG = 24;

/** The hashes of the trigrams of a text, 32 bits each; empty for a text of less than three units. */
export function trigramsOf(text: string): Uint32Array {
  const trigrams = new Uint32Array(Math.max(0, text.length - 2));
  for (let i = 0; i < trigrams.length; i++)
    trigrams[i] = hashOf(text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2));
  return trigrams;
}

function hashOf(a: number, b: number, c: number): number {
  return Math.imul((a << 16) ^ (b << 8) ^ c, MULTIPLIER) >>> 0;
}

export class TrigramFilter {
  readonly #words: Uint32Array;
  /** A hash without its lowest bits is the number of its bit. */
  readonly #shift: number;

  constructor(text: string) {
    const wanted = Math.ceil(Math.log2(Math.max(1, text.length) * BITS_PER_UNIT));
    const bitsLog = Math.min(MAX_BITS_LOG, Math.max(MIN_BITS_LOG, wanted));
    const words = new Uint32Array(2 ** bitsLog / 32);
    const shift = 32 - bitsLog;
    let [a, b] = [text.charCodeAt(0), text.charCodeAt(1)];
    for (let i = 2; i < text.length; i++) {
      const c = text.charCodeAt(i);
      const bit = hashOf(a, b, c) >>> shift;
      words[bit >>> 5] = (words[bit >>> 5] as number) | (1 << (bit & 31));
      [a, b] = [b, c];
    }
    this.#words = words;
    this.#shift = shift;
  }

  /** The memory that a filter of a text of this many UTF-16 units takes at most, in bytes. */
  static bytesFor(units: number): number {
    return Math.max(2 ** MIN_BITS_LOG / 8, (units * BITS_PER_UNIT * 2) / 8);
  }

  /** False only if the text has one of these trigrams nowhere. */
  mayHave(trigrams: Uint32Array): boolean {
    for (let i = 0; i < trigrams.length; i++) {
      const bit = (trigrams[i] as number) >>> this.#shift;
      if (((this.#words[bit >>> 5] as number) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }
}
