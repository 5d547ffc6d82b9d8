/** Keeps the best of many scored things without sorting them all. */

/** Decides between equal scores; smaller than zero when `a` comes first. */
type TieBreak = (a: number, b: number) => number;

/** A ranked item by its number, such as a chunk or a commit. */
export interface Scored {
  readonly item: number;
  readonly score: number;
}

/**
 * The `limit` best items, best first.
 *
 * A binary heap with the worst kept item on top: most items are turned away by one comparison. It is two lists of
 * numbers, because an object for each item that is kept for a while would be garbage.
 */
export class TopK {
  readonly limit: number;
  readonly #tieBreak: TieBreak;
  readonly #items: number[] = [];
  readonly #scores: number[] = [];

  constructor(limit: number, tieBreak: TieBreak) {
    this.limit = limit;
    this.#tieBreak = tieBreak;
  }

  /** An item with a lower score is not kept. */
  get least(): number {
    if (this.#scores.length < this.limit) return Number.NEGATIVE_INFINITY;
    return this.#scores[0] ?? Infinity;
  }

  offer(item: number, score: number): void {
    const size = this.#scores.length;
    if (size < this.limit) {
      this.#rise(size, item, score);
    } else if (size > 0 && this.#isWorseAt(0, item, score)) {
      this.#sink(item, score);
    }
  }

  best(): Scored[] {
    const kept = this.#items.map((item, i) => ({ item, score: this.#scores[i] as number }));
    return kept.toSorted((a, b) => b.score - a.score || this.#tieBreak(a.item, b.item));
  }

  /** Whether the item at a place of the heap is worse than another. */
  #isWorseAt(at: number, item: number, score: number): boolean {
    const own = this.#scores[at] as number;
    return own === score ? this.#tieBreak(this.#items[at] as number, item) > 0 : own < score;
  }

  #set(at: number, item: number, score: number): void {
    this.#items[at] = item;
    this.#scores[at] = score;
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#items[from] as number, this.#scores[from] as number);
  }

  /** Adds an item at the end: better ones above it move down. */
  #rise(end: number, item: number, score: number): void {
    let at = end;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isWorseAt(parent, item, score)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, item, score);
  }

  /** Replaces the worst item: worse ones below the new one move up. */
  #sink(item: number, score: number): void {
    const { length } = this.#scores;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const other = child + 1;
      if (child >= length) break;
      if (other < length) {
        const otherScore = this.#scores[other] as number;
        if (!this.#isWorseAt(child, this.#items[other] as number, otherScore)) child = other;
      }
      if (!this.#isWorseAt(child, item, score)) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, item, score);
  }
}
