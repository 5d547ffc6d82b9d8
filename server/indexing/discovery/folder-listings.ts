/** Caches the folder listings of the watcher for the pass that follows. */

import type { Dirent } from "node:fs";

/** The watcher lists a folder after it begins to watch it, so any later change raises an event, which clears the cache. */
export class FolderListings {
  readonly #entries = new Map<string, readonly Dirent[]>();

  /** `folder` is relative to the root, with forward slashes. */
  note(folder: string, entries: readonly Dirent[]): void {
    this.#entries.set(folder, entries);
  }

  /** Removes and returns a listing. */
  take(folder: string): readonly Dirent[] | undefined {
    const entries = this.#entries.get(folder);
    this.#entries.delete(folder);
    return entries;
  }

  /** Clears the cache. */
  forget(): void {
    this.#entries.clear();
  }
}
