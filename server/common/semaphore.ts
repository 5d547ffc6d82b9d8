/** A counting semaphore whose waiting callers run at once and await their slot themselves. */

import { deferred } from "./deferred.ts";

export class Semaphore {
  readonly #slots: number;
  /** Resolves the promise of each caller, in order of arrival. */
  readonly #queue = new Set<() => void>();

  /** At most `slots` callers hold a slot at once. */
  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Calls `run` at once, with a promise that resolves when a slot is free. The slot is released when `run` settles. */
  async during<T>(run: (acquired: Promise<void>) => Promise<T>): Promise<T> {
    const { promise: acquired, resolve: acquire } = deferred();
    this.#queue.add(acquire);
    this.#assignSlots();
    try {
      return await run(acquired);
    } finally {
      this.#queue.delete(acquire);
      this.#assignSlots();
    }
  }

  #assignSlots(): void {
    for (const acquire of [...this.#queue].slice(0, this.#slots)) acquire();
  }
}
