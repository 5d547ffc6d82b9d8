/** Indexing gives way: while somebody searches or types, no file is begun. */

import { setTimeout as delay } from "node:timers/promises";

/** Who types goes on within this; a search right after the last key finds the workers free. */
const TYPING_MS = 300;
/** Indexing goes on all the same after this, a file at a time: a search that waits for a service needs no processor. */
const LONGEST_MS = 500;

export class IndexingThrottle {
  #searches = 0;
  #typingUntil = 0;
  #over: (() => void)[] = [];

  async whileSearching<T>(search: () => Promise<T>): Promise<T> {
    this.#searches++;
    try {
      return await search();
    } finally {
      this.#searches--;
      if (this.#searches === 0) this.#wake();
    }
  }

  noteTyping(): void {
    this.#typingUntil = performance.now() + TYPING_MS;
  }

  /** Asked before each file. */
  async yieldToForeground(signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + LONGEST_MS;
    while (performance.now() < deadline && !signal.aborted) {
      const now = performance.now();
      const waitMs = Math.min(deadline, this.#searches > 0 ? deadline : this.#typingUntil) - now;
      if (waitMs <= 0) return;
      const searched = new Promise<void>((resolve) => this.#over.push(resolve));
      await Promise.race([searched, delay(waitMs, undefined, { ref: false })]);
    }
  }

  #wake(): void {
    const over = this.#over;
    this.#over = [];
    for (const wake of over) wake();
  }
}
