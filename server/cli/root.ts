/** Which folder a command is about when none is named. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** What marks the top of a project. `.git` is a file in a linked worktree. */
const MARKS = [".git", "cocosearch.yaml"] as const;

/** The named folder, else the nearest project above the current folder, else that folder. */
export function rootFor(named: string | undefined, cwd: string): string {
  if (named !== undefined) return resolve(cwd, named);
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder)) {
    // Settings kept under version control do not make the home folder a project.
    if (folder === homedir()) break;
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) return folder;
  }
  return cwd;
}
