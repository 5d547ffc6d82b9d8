/** Which folder is the top of a project. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { SETTINGS_FILES } from "./settings-files.ts";

/** Files and folders at the top of a project. */
const MARKERS = [".git", ...SETTINGS_FILES];

/** The named folder; else the nearest project around the current folder; else the current folder itself. */
export function findRoot(cwd: string, named: string | undefined, home = homedir()): string {
  if (named !== undefined) return resolve(cwd, named);
  let folder = cwd;
  // A repository of dot files in the home folder does not make everything in it one project.
  while (folder !== home) {
    if (isMarked(folder)) return folder;
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return cwd;
}

export function isMarked(folder: string): boolean {
  return MARKERS.some((marker) => existsSync(join(folder, marker)));
}
