/** Decides which files are read synchronously, which takes a fourth of the processor time: those on a local disk that answers at once. */

import { isOnLocalDisk } from "./local-disk.ts";
import type { Absent } from "./read-file.ts";
import { type OpenFile, readFileInsideSync } from "./read-file-sync.ts";

/**
 * Larger files are read asynchronously: they would hold up the event loop. That takes nine turns of it for each file: for ten
 * files 3 of the 13 ms of a search.
 */
const MAX_BYTES_AT_ONCE = 1_000_000;

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

  /** Reads a small file below `root` while the disk is quick; "later" otherwise. Throws the system's error if it cannot be read. */
  async readSmall<T extends object>(
    root: string,
    path: string,
    read: (file: OpenFile) => T,
  ): Promise<T | Absent | "later"> {
    if (!(await this.isQuick(root))) return "later";
    return this.during(() =>
      readFileInsideSync<T | "later">(root, path, (file) =>
        file.found.size > MAX_BYTES_AT_ONCE ? "later" : read(file),
      ),
    );
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
