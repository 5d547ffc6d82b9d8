/**
 * Finds the top of a repository, and follows the `.git` file of a worktree or submodule to its git directory, but only to
 * a directory that points back.
 */

import { closeSync, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { trySystemCallSync } from "./errors.ts";
import { gitConfigValue } from "./git-config.ts";
import { OPEN_FLAGS } from "./read-file.ts";
import { lookAt, statOf } from "./read-file-sync.ts";

/** The maximum size of a `.git` file and of a git configuration. */
const MAX_FILE_BYTES = 1_000_000;

/** The folder itself or the nearest ancestor that contains `.git`; undefined outside a repository. */
export function topOfRepository(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (statOf(join(at, ".git")) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

/**
 * The git directory that a `.git` file names. Undefined if that is not a git directory or does not point back to this
 * folder: the file comes with the workspace and is not trusted. Throws other system errors:
 * without the ignore rules of the repository, excluded files would be indexed.
 */
export function followGitFile(dot: string): string | undefined {
  const git = gitFileTarget(dot);
  if (git === undefined || textOf(join(git, "HEAD")) === undefined) return undefined;
  return isWorktreeOf(git, dot) || isSubmoduleOf(git, dirname(dot)) ? git : undefined;
}

/** The path that a `.git` file names, absolute and not trusted. Undefined for another file. */
export function gitFileTarget(dot: string): string | undefined {
  const pointer = /^gitdir: (.+)$/m.exec(textOf(dot) ?? "")?.[1];
  return pointer === undefined ? undefined : resolve(dirname(dot), pointer.trim());
}

/** The git directory that all worktrees of a repository share. `top` is the top of one of them. */
export function commonGitFolder(top: string): string {
  const dot = join(top, ".git");
  const own = followGitFile(dot);
  return own === undefined ? dot : resolve(own, textOf(join(own, "commondir"))?.trim() ?? ".");
}

/** The shared git directory of the linked worktree that contains `folder`. Undefined in a main worktree and outside of any. */
export function linkedRepository(folder: string): string | undefined {
  const top = topOfRepository(folder);
  const own = top && followGitFile(join(top, ".git"));
  if (top === undefined || own === undefined || basename(dirname(own)) !== "worktrees")
    return undefined;
  const common = commonGitFolder(top);
  return isSamePath(common, own) ? undefined : common;
}

/** The git directory of a worktree names the `.git` file. */
function isWorktreeOf(git: string, dot: string): boolean {
  const back = textOf(join(git, "gitdir"))?.trim();
  return back !== undefined && isSamePath(resolve(git, back), dot);
}

/** The git directory of a submodule names the folder of its work tree. */
function isSubmoduleOf(git: string, folder: string): boolean {
  const back = gitConfigValue(textOf(join(git, "config")) ?? "", "worktree");
  return back !== undefined && isSamePath(resolve(git, back), folder);
}

/** Whether both exist and are one file or folder. */
export function isSamePath(a: string, b: string): boolean {
  return trySystemCallSync(() => realpathSync(a) === realpathSync(b)) ?? false;
}

/** The text of a file. Undefined if the path is not a regular file or cannot be read; does not block on a pipe. */
function textOf(file: string): string | undefined {
  return lookAt(() => {
    const descriptor = openSync(file, OPEN_FLAGS);
    try {
      const found = fstatSync(descriptor);
      if (!found.isFile() || found.size > MAX_FILE_BYTES) return undefined;
      return readFileSync(descriptor, "utf8");
    } finally {
      closeSync(descriptor);
    }
  });
}
