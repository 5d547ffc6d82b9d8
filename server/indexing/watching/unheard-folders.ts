/** Tells whether new folders contain others of which no event told: the watcher has not seen those. */

import type { IgnoreRules } from "../ignore/ignore-rules.ts";
import { foldersIn } from "./unwatched-folders.ts";

/**
 * `heard` are the paths that were made, as the events tell.
 *
 * The library watches a folder when it is told that it was made. What was made in it before that, by one
 * `mkdir -p` or by a tree that was moved in, has no watch and no event.
 */
export async function containsUnheardFolder(
  root: string,
  rules: IgnoreRules,
  heard: ReadonlySet<string>,
): Promise<boolean> {
  for (const path of heard) {
    // Empty also for what is no folder.
    const inside = await foldersIn(root, rules, path);
    if (inside.some((folder) => !heard.has(folder))) return true;
  }
  return false;
}
