/** Lets searches and typing go first: while a user searches or types, indexing starts no file. */

import { setTimeout as delay } from "node:timers/promises";

/** Longest pause between two keystrokes; a search right after the last one finds the workers free. */
const TYPING_MS = 300;
/** Indexing continues after this, one file at a time: a search that waits for a service needs no processor. */
const MAX_YIELD_MS = 500;
/** A slice on the engine's own thread is shorter than a file: where searches never end, it has a tenth of the time. */
const MAX_SLICE_YIELD_MS = 50;

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
    const deadline = performance.now() + MAX_YIELD_MS;
    while (performance.now() < deadline && !signal.aborted) {
      const now = performance.now();
      const waitMs = Math.min(deadline, this.#searches > 0 ? deadline : this.#typingUntil) - now;
      if (waitMs <= 0) return;
      const searched = new Promise<void>((resolve) => this.#over.push(resolve));
      await Promise.race([searched, delay(waitMs, undefined, { ref: false })]);
    }
  }

  /** Asked before each slice of what indexing does on the engine's own thread. */
  async yieldToSearches(): Promise<void> {
    if (this.#searches === 0) return;
    const searched = new Promise<void>((resolve) => this.#over.push(resolve));
    await Promise.race([searched, delay(MAX_SLICE_YIELD_MS, undefined, { ref: false })]);
  }

  #wake(): void {
    const over = this.#over;
    this.#over = [];
    for (const wake of over) wake();
  }
}
