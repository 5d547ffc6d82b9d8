/** Multi-pattern search: finds which of many short ASCII strings occur in a text or in bytes, in one pass. */

const ASCII = 128;

/** Finds ASCII strings of at least two characters; ten times as fast as a hundred separate searches. */
export class HintFinder {
  /** Strings by their first two characters. */
  readonly #byPair: (string[] | undefined)[] = [];
  /** 1 for each pair of characters that begins a string. */
  readonly #isBegin = new Uint8Array(ASCII * ASCII);

  constructor(hints: Iterable<string>) {
    for (const hint of new Set(hints)) {
      const pair = pairAt(hint, 0);
      this.#isBegin[pair] = 1;
      const known = (this.#byPair[pair] ??= []);
      known.push(hint);
    }
  }

  /** The strings that occur in the text. */
  find(text: string): ReadonlySet<string> {
    const found = new Set<string>();
    const isBegin = this.#isBegin;
    let before = text.charCodeAt(0);
    for (let at = 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (before < ASCII && code < ASCII && isBegin[before * ASCII + code] === 1)
        this.#addThose(found, text, at - 1);
      before = code;
    }
    return found;
  }

  #addThose(found: Set<string>, text: string, at: number): void {
    for (const hint of this.#byPair[pairAt(text, at)] ?? [])
      if (text.startsWith(hint, at)) found.add(hint);
  }
}

function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * ASCII + text.charCodeAt(at + 1);
}

const BYTES = 256;

/**
 * Finds ASCII strings in bytes by the Wu-Manber algorithm (1994): the two bytes at the end of the shortest string's window
 * give the distance to the next possible match, so that most bytes are skipped and none is decoded.
 */
export class HintSkipper {
  /** The shift for each pair of bytes. */
  readonly #skips: Uint8Array;
  /** Strings by the last two bytes of their prefix with the length of the shortest string. */
  readonly #byPair: (Buffer[] | undefined)[] = [];
  readonly #shortest: number;

  constructor(hints: readonly string[]) {
    this.#shortest = Math.min(...hints.map(({ length }) => length));
    this.#skips = new Uint8Array(BYTES * BYTES).fill(this.#shortest - 1);
    for (const hint of new Set(hints)) this.#add(Buffer.from(hint));
  }

  #add(hint: Buffer): void {
    const last = this.#shortest - 1;
    for (let at = 1; at <= last; at++) {
      const pair = bytePair(hint, at);
      this.#skips[pair] = Math.min(this.#skips[pair] as number, last - at);
    }
    const known = (this.#byPair[bytePair(hint, last)] ??= []);
    known.push(hint);
  }

  /** The strings that occur in the bytes. */
  find(bytes: Uint8Array): ReadonlySet<string> {
    const found = new Set<string>();
    const skips = this.#skips;
    const last = this.#shortest - 1;
    const { length } = bytes;
    for (let at = last; at < length; ) {
      const pair = bytePair(bytes, at);
      const skip = skips[pair] as number;
      if (skip === 0) this.#addThose(found, bytes, at - last, pair);
      at += skip === 0 ? 1 : skip;
    }
    return found;
  }

  #addThose(found: Set<string>, bytes: Uint8Array, at: number, pair: number): void {
    for (const hint of this.#byPair[pair] ?? [])
      if (hint.every((byte, i) => bytes[at + i] === byte)) found.add(hint.toString());
  }
}

function bytePair(bytes: Uint8Array, at: number): number {
  return (bytes[at - 1] as number) * BYTES + (bytes[at] as number);
}
