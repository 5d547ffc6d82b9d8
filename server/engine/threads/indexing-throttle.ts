/** Gives searches and typing priority: while a user searches or types, indexing starts no new file. */

import { setTimeout as delay } from "node:timers/promises";

/** Longest pause between two keystrokes; a search right after the last one finds the workers idle. */
const TYPING_MS = 300;
/** After this, indexing continues one file at a time: a search that waits for a service needs no processor. */
const MAX_YIELD_MS = 500;
/**
 * The same for slices on the engine's own thread, which are shorter than a file: under endless searches they get a
 * tenth of the time.
 */
const MAX_SLICE_YIELD_MS = 50;

/** After a search, another one is likely for this long. */
const SEARCHED_MS = 2_000;
/** For this long after a search, one file is prepared at a time: pickers search at every keystroke. */
const ASKING_MS = 500;
/** Pause between two slices of background work during searches: it gets a sixth of the thread's time. */
const REST_MS = 25;
/** Maximum delay of work that takes a core for a second. */
const MAX_QUIET_WAIT_MS = 5_000;
const QUIET_POLL_MS = 100;

export class IndexingThrottle {
  #searches = 0;
  #searchedAt = Number.NEGATIVE_INFINITY;
  #typingUntil = 0;
  #over: (() => void)[] = [];

  async whileSearching<T>(search: () => Promise<T>): Promise<T> {
    this.#searches++;
    try {
      return await search();
    } finally {
      this.#searches--;
      this.#searchedAt = performance.now();
      if (this.#searches === 0) this.#wake();
    }
  }

  noteTyping(): void {
    this.#typingUntil = performance.now() + TYPING_MS;
  }

  /** Whether a user searches or types, or did so a moment ago. */
  get isForegroundBusy(): boolean {
    return this.#wasBusyFor(SEARCHED_MS);
  }

  /** Whether a user searched very recently; asked before each file, because one thread is enough then. */
  get isAsking(): boolean {
    return this.#wasBusyFor(ASKING_MS);
  }

  #wasBusyFor(ms: number): boolean {
    const now = performance.now();
    return this.#searches > 0 || now < this.#searchedAt + ms || now < this.#typingUntil;
  }

  /** Awaited before each file. */
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

  /** Awaited before each slice of indexing on the engine's own thread. */
  async yieldToSearches(): Promise<void> {
    if (this.#searches === 0) return;
    const searched = new Promise<void>((resolve) => this.#over.push(resolve));
    await Promise.race([searched, delay(MAX_SLICE_YIELD_MS, undefined, { ref: false })]);
  }

  /** Awaited before each slice of background work; `isUrgent` says that a request waits for it. */
  async rest(isUrgent: () => boolean): Promise<void> {
    if (this.isForegroundBusy && !isUrgent()) await delay(REST_MS, undefined, { ref: false });
    await this.yieldToSearches();
  }

  /** Resolves when no user searches or types, when `isUrgent` returns true, or after `maxMs`. */
  async whenQuiet(isUrgent: () => boolean, maxMs = MAX_QUIET_WAIT_MS): Promise<void> {
    const deadline = performance.now() + maxMs;
    while (this.isForegroundBusy && !isUrgent() && performance.now() < deadline)
      await delay(QUIET_POLL_MS, undefined, { ref: false });
  }

  #wake(): void {
    const over = this.#over;
    this.#over = [];
    for (const wake of over) wake();
  }
}
