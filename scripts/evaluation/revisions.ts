/** A working tree of a repository that is moved from revision to revision; the repository itself is only read. */

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

export interface WorkingTree {
  readonly root: string;
  checkOut(revision: string): void;
  /** Seconds since 1970. */
  dateOf(revision: string): number;
}

/** `gitDir` may be shared with others: the index of files is kept beside the tree. */
export function openWorkingTree(gitDir: string, folder: string): WorkingTree {
  const root = join(folder, "tree");
  mkdirSync(root, { recursive: true });
  const env = {
    ...process.env,
    GIT_DIR: gitDir,
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: join(folder, "git-index"),
  };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env }).toString();
  return {
    root,
    checkOut: (revision) => void git("read-tree", "-u", "--reset", revision),
    dateOf: (revision) => Number(git("show", "-s", "--format=%ct", revision)),
  };
}
