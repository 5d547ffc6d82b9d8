/** Keeps the best of many scored things without sorting them all. */

/** Decides between equal scores; smaller than zero when `a` comes first. */
type TieBreak = (a: number, b: number) => number;

/** A ranked item by its number, such as a chunk or a commit. */
interface Scored {
  readonly item: number;
  readonly score: number;
}

/**
 * The `limit` best items, best first.
 *
 * A binary heap with the worst kept item on top: most items are turned away by one comparison.
 */
export class TopK {
  readonly limit: number;
  readonly #tieBreak: TieBreak;
  readonly #heap: Scored[] = [];

  constructor(limit: number, tieBreak: TieBreak) {
    this.limit = limit;
    this.#tieBreak = tieBreak;
  }

  offer(item: number, score: number): void {
    const heap = this.#heap;
    if (heap.length < this.limit) {
      heap.push({ item, score });
      this.#rise(heap.length - 1);
      return;
    }
    const worst = heap[0];
    if (worst === undefined || score < worst.score) return;
    const added = { item, score };
    if (!this.#isWorse(worst, added)) return;
    heap[0] = added;
    this.#sink(0);
  }

  best(): Scored[] {
    return this.#heap.toSorted((a, b) => (this.#isWorse(b, a) ? -1 : 1));
  }

  #isWorse(a: Scored, b: Scored): boolean {
    return a.score === b.score ? this.#tieBreak(a.item, b.item) > 0 : a.score < b.score;
  }

  #isWorseAt(i: number, j: number): boolean {
    const [a, b] = [this.#heap[i], this.#heap[j]];
    return a !== undefined && b !== undefined && this.#isWorse(a, b);
  }

  #swap(i: number, j: number): void {
    const [a, b] = [this.#heap[i], this.#heap[j]];
    if (a === undefined || b === undefined) return;
    this.#heap[i] = b;
    this.#heap[j] = a;
  }

  #rise(from: number): void {
    for (let i = from; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (!this.#isWorseAt(i, parent)) return;
      this.#swap(i, parent);
      i = parent;
    }
  }

  #sink(from: number): void {
    for (let i = from; ; ) {
      let worst = i;
      for (const child of [2 * i + 1, 2 * i + 2]) {
        if (this.#isWorseAt(child, worst)) worst = child;
      }
      if (worst === i) return;
      this.#swap(i, worst);
      i = worst;
    }
  }
}
