/** Paths inside a workspace: relative to its root, with forward slashes. */

import { folderOf } from "../../common/relative-path.ts";

/** Undefined if the path leaves the workspace. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === "" || relative.startsWith("/") ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** A folder and its ancestors, nearest first; the root is the empty string. */
export function foldersAbove(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== ""; ) {
    at = folderOf(at);
    folders.push(at);
  }
  return folders;
}

/** The length of the common prefix, in characters of strings or in segments of lists. */
export function sharedLength<Path extends string | readonly string[]>(a: Path, b: Path): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}

/**
 * Test folders of most languages; their definitions are often test doubles. The categories in languages/ depend on all
 * paths of the repository, so that any new file could change them, and stored results would have to be invalidated.
 */
const TESTS = /(?:^|\/)(?:tests?|specs?|__tests__)\//;

export function isInTests(path: string): boolean {
  return TESTS.test(path);
}
