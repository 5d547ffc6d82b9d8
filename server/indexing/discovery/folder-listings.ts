/** What the watcher found in the folders of a tree, so that the pass which follows need not list them again. */

import type { Dirent } from "node:fs";

/** A folder is listed after it is watched, so that what comes later is told; then all listings are out of date. */
export class FolderListings {
  readonly #entries = new Map<string, readonly Dirent[]>();

  /** `folder` is relative to the root, with forward slashes. */
  note(folder: string, entries: readonly Dirent[]): void {
    this.#entries.set(folder, entries);
  }

  /** Each listing is given away once; undefined where there is none. */
  take(folder: string): readonly Dirent[] | undefined {
    const entries = this.#entries.get(folder);
    this.#entries.delete(folder);
    return entries;
  }

  /** Something has changed, or they were used. */
  forget(): void {
    this.#entries.clear();
  }
}
