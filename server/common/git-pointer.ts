/**
 * Follows the `.git` file of a worktree or submodule to its git directory, and only to a directory that points back.
 */

import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isMissingOrForbidden } from "./errors.ts";
import { gitConfigValue } from "./git-config.ts";

/** The maximum size of a `.git` file and of a git configuration. */
const MAX_FILE_BYTES = 1_000_000;

/**
 * The git directory that a `.git` file names. Undefined if that is not a git directory or does not point back to this
 * folder: the file comes with the workspace and is not trusted. Throws other system errors:
 * without the ignore rules of the repository, excluded files would be indexed.
 */
export function followGitFile(dot: string): string | undefined {
  const pointer = /^gitdir: (.+)$/m.exec(textOf(dot) ?? "")?.[1];
  if (pointer === undefined) return undefined;
  const git = resolve(dirname(dot), pointer.trim());
  if (textOf(join(git, "HEAD")) === undefined) return undefined;
  return isWorktreeOf(git, dot) || isSubmoduleOf(git, dirname(dot)) ? git : undefined;
}

/** The git directory of a worktree names the `.git` file. */
function isWorktreeOf(git: string, dot: string): boolean {
  const back = textOf(join(git, "gitdir"))?.trim();
  return back !== undefined && isSame(resolve(git, back), dot);
}

/** The git directory of a submodule names the folder of its work tree. */
function isSubmoduleOf(git: string, folder: string): boolean {
  const back = gitConfigValue(textOf(join(git, "config")) ?? "", "worktree");
  return back !== undefined && isSame(resolve(git, back), folder);
}

function isSame(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

/** The text of a file. Undefined if the path is not a regular file or cannot be read; does not block on a pipe. */
function textOf(file: string): string | undefined {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = fstatSync(descriptor);
      if (!found.isFile() || found.size > MAX_FILE_BYTES) return undefined;
      return readFileSync(descriptor, "utf8");
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (isMissingOrForbidden(error)) return undefined;
    throw error;
  }
}
