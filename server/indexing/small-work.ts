/** Which passes are so small that they do not wait behind others. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError } from "../common/errors.ts";

/** As many as a user may just have saved. */
export const MAX_SMALL_FILES = 50;
/** A thread takes about a second for each MB of source: what a user types waits half of that at most. */
const MAX_SMALL_BYTES = 500_000;

/**
 * Whether these files are few and small. Where the threads of the background have something to do, the one that users
 * wait for then reads them: a workspace of eight files is indexed in a second beside the largest one.
 */
export async function isSmallWork(root: string, paths: readonly string[]): Promise<boolean> {
  if (paths.length > MAX_SMALL_FILES) return false;
  const sizes = await Promise.all(paths.map((path) => sizeOf(join(root, path))));
  return sizes.reduce((sum, size) => sum + size, 0) <= MAX_SMALL_BYTES;
}

/** Nothing of what cannot be looked at: reading it says why. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isSystemError(error)) return 0;
    throw error;
  }
}
