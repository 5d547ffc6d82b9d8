/** Recognizes passes that are small enough for the interactive thread. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { trySystemCall } from "../common/errors.ts";

/** At most as many files as a user saves at once. */
export const MAX_SMALL_FILES = 50;
/** A thread prepares about 1 MB of source per second, so an edit waits at most half a second. */
const MAX_SMALL_BYTES = 500_000;

/**
 * Whether these files are few and small. If the background threads are busy, the interactive thread then prepares them:
 * a workspace of eight files is indexed within a second while a large one is being indexed.
 */
export async function isSmallWork(root: string, paths: readonly string[]): Promise<boolean> {
  if (paths.length > MAX_SMALL_FILES) return false;
  const sizes = await Promise.all(paths.map((path) => sizeOf(join(root, path))));
  return sizes.reduce((sum, size) => sum + size, 0) <= MAX_SMALL_BYTES;
}

/** 0 if `stat` fails; reading the file then reports the error. */
async function sizeOf(file: string): Promise<number> {
  return (await trySystemCall(() => stat(file)))?.size ?? 0;
}
