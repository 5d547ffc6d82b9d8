/**
 * Recognizes worktrees of git below a root. They have indexes of their own: as a part of the root, each of them would
 * repeat every file of the repository.
 */

import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  commonGitFolder,
  gitFileTarget,
  isSamePath,
  topOfRepository,
} from "../../common/git-pointer.ts";
import { lookAt, statOf } from "../../common/read-file-sync.ts";

/**
 * Why `folder` (absolute, below the root) is a worktree: it is linked to any repository, or it is the main worktree of the
 * repository that the root is linked to. Undefined for other folders, also for submodules and for clones of their own.
 */
export function worktreeRule(root: string, folder: string): string | undefined {
  const dot = join(folder, ".git");
  const found = lookAt(() => lstatSync(dot, { throwIfNoEntry: false }));
  if (found?.isFile() === true) {
    return isLinkedWorktree(dot) ? `linked worktree "${basename(folder)}"` : undefined;
  }
  if (found?.isDirectory() !== true) return undefined;
  const top = topOfRepository(root);
  return top !== undefined && isSamePath(commonGitFolder(top), dot)
    ? `main worktree "${basename(folder)}" of this worktree`
    : undefined;
}

/**
 * Whether a `.git` file names `GIT_DIRECTORY/worktrees/NAME`. It may be gone, with its repository. The git directory of a
 * submodule whose name begins with `worktrees/` looks alike, and has no `commondir`.
 */
function isLinkedWorktree(dot: string): boolean {
  const git = gitFileTarget(dot);
  if (git === undefined || basename(dirname(git)) !== "worktrees") return false;
  return statOf(git) === undefined
    ? basename(dirname(dirname(git))) !== "modules"
    : statOf(join(git, "commondir")) !== undefined;
}
