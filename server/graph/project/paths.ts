/** Paths inside a workspace: relative to its root, with forward slashes. */

import { folderOf } from "../../common/relative-path.ts";

/** Undefined where it leads out of the workspace. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === "" || relative.startsWith("/") ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** The folder itself and those above it, nearest first; the top is the empty text. */
export function foldersAbove(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== ""; ) {
    at = folderOf(at);
    folders.push(at);
  }
  return folders;
}

/** How many characters two paths begin with together, or how many folders where they are given as these. */
export function sharedLength<Path extends string | readonly string[]>(a: Path, b: Path): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}

/** Folders of tests in most languages: what is defined in them often replaces the real thing. */
const TESTS = /(?:^|\/)(?:tests?|specs?|__tests__)\//;

export function isInTests(path: string): boolean {
  return TESTS.test(path);
}
