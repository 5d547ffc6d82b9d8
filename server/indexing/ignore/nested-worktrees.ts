/**
 * Recognizes worktrees and git directories below a root. Worktrees have indexes of their own: as a part of the root, each of
 * them would repeat every file of the repository.
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
    return isLinkedWorktree(dot)
      ? `linked worktree "${basename(folder)}" ${BY_SETTING}`
      : undefined;
  }
  if (found?.isDirectory() !== true) return undefined;
  const top = topOfRepository(root);
  return top !== undefined && isSamePath(commonGitFolder(top), dot)
    ? `main worktree "${basename(folder)}" of this worktree ${BY_SETTING}`
    : undefined;
}

/** The part of a rule that says how to bring a worktree back. */
const BY_SETTING = "(setting indexing.nestedWorktrees)";

/** Whether an exclusion is because of `worktreeRule`. */
export function isWorktreeRule(rule: string): boolean {
  return rule.endsWith(BY_SETTING);
}

/** The rule about git directories. */
export const GIT_DIRECTORY = "git directory";

/** Whether the folder is a git directory under another name than `.git`, as that of a bare repository (`.bare`). */
export function isGitDirectory(folder: string): boolean {
  return (
    statOf(join(folder, "HEAD"))?.isFile() === true &&
    statOf(join(folder, "objects"))?.isDirectory() === true &&
    statOf(join(folder, "refs"))?.isDirectory() === true
  );
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
