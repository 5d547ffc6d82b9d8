/** Finds lines in the bytes of a file. Places on the way are kept, so that the next chunk of a long file is found from there. */

/** Lines between two kept places: a hundred numbers for a file of a megabyte. */
const LINES_APART = 256;

export const NEWLINE = 10;

export class LineOffsets {
  readonly #bytes: Buffer;
  readonly #known: number[];

  /**
   * `known` are the offsets of line 0, which it must have, of line `LINES_APART`, and so on. A search adds more of them,
   * for the next time that the same bytes are read.
   */
  constructor(bytes: Buffer, known: number[]) {
    this.#bytes = bytes;
    this.#known = known;
  }

  /** The offset of a line; -1 unless as many line ends are before it. */
  startOf(line: number): number {
    const known = this.#known;
    const place = Math.min(Math.floor(line / LINES_APART), known.length - 1);
    let at = known[place] as number;
    for (let passed = place * LINES_APART; passed < line; ) {
      const end = this.#bytes.indexOf(NEWLINE, at);
      if (end < 0) return -1;
      at = end + 1;
      passed++;
      // Only behind the last known place is another one passed.
      if (passed % LINES_APART === 0) known.push(at);
    }
    return at;
  }
}
