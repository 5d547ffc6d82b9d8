/** Finds the root folder of a project. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { SETTINGS_FILES } from "./settings-files.ts";

/** Files and folders that mark the root of a project. */
const MARKERS = [".git", ...SETTINGS_FILES];

/** The named folder, or the nearest parent that is a project root, or the current folder. */
export function findRoot(cwd: string, named: string | undefined, home = homedir()): string {
  if (named !== undefined) return resolve(cwd, named);
  let folder = cwd;
  // A repository of dot files in the home folder does not make the home folder a project.
  while (folder !== home) {
    if (isMarked(folder)) return folder;
    const parent = dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  return cwd;
}

export function isMarked(folder: string): boolean {
  return MARKERS.some((marker) => existsSync(join(folder, marker)));
}
