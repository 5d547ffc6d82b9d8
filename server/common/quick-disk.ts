/** Decides which files are read synchronously, which takes a fourth of the processor time: those on a local disk that answers at once. */

import { isOnLocalDisk } from "./local-disk.ts";

/** A read that takes longer means a disk that is slow or whose files are not cached, or a machine with other work. */
const SLOW_MS = 5;
/**
 * How long reads are asynchronous after a slow one, which happens now and then on any busy machine, and at most: each further
 * slow one doubles the time.
 */
const SLOW_FOR_MS = 100;
const MAX_SLOW_FOR_MS = 10_000;

export class QuickDisk {
  readonly #isLocal = new Map<string, boolean>();
  #slowUntil = 0;
  #slowForMs = SLOW_FOR_MS;

  /** Whether files below `root` may be read synchronously now. */
  async isQuick(root: string): Promise<boolean> {
    let isLocal = this.#isLocal.get(root);
    if (isLocal === undefined) {
      isLocal = await isOnLocalDisk(root);
      this.#isLocal.set(root, isLocal);
    }
    return isLocal && performance.now() >= this.#slowUntil;
  }

  /** Runs a synchronous read, and notes how long it took. */
  during<T>(read: () => T): T {
    const start = performance.now();
    try {
      return read();
    } finally {
      this.#note(start, performance.now());
    }
  }

  #note(start: number, end: number): void {
    if (end - start > SLOW_MS) {
      this.#slowUntil = end + this.#slowForMs;
      this.#slowForMs = Math.min(MAX_SLOW_FOR_MS, 2 * this.#slowForMs);
    } else if (this.#slowForMs > SLOW_FOR_MS) {
      this.#slowForMs /= 2;
    }
  }
}
