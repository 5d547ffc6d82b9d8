/** Recognizes paths in another worktree of a repository, so that they are not answered from the wrong one. */

import { commonGitFolder, isSamePath, topOfRepository } from "./git-pointer.ts";

/**
 * The top of the worktree that contains `path` (absolute; it need not exist), if that is another worktree of the repository
 * of `root`. Undefined in the worktree of `root`, in another repository and outside of any.
 */
export function otherWorktree(root: string, path: string): string | undefined {
  const [own, top] = [topOfRepository(root), topOfRepository(path)];
  if (own === undefined || top === undefined || isSamePath(own, top)) return undefined;
  return isSamePath(commonGitFolder(own), commonGitFolder(top)) ? top : undefined;
}

/** The message for a `path` in the worktree `top`, which is not open. */
export function inOtherWorktree(path: string, top: string): string {
  return `${path} is in another worktree of this repository; open its folder: ${top}`;
}
