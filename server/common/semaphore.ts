/** Tells those who stand in a row when they are among the first. */

export class Semaphore {
  readonly #width: number;
  /** What each is told by, in order. */
  readonly #row = new Set<() => void>();

  /** `width` of them have their turn at once. */
  constructor(width: number) {
    this.#width = width;
  }

  /** How many have their turn or wait for it. */
  get size(): number {
    return this.#row.size;
  }

  /** Runs at once; the promise that is given resolves when it is among the first. */
  async during<T>(run: (begins: Promise<void>) => Promise<T>): Promise<T> {
    let begin = () => {};
    const begins = new Promise<void>((resolve) => {
      begin = resolve;
    });
    this.#row.add(begin);
    this.#beginFirst();
    try {
      return await run(begins);
    } finally {
      this.#row.delete(begin);
      this.#beginFirst();
    }
  }

  #beginFirst(): void {
    for (const begin of [...this.#row].slice(0, this.#width)) begin();
  }
}
