/** Follows the `.git` file of a worktree or submodule, only to a git directory that belongs to it. */

import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isMissingOrForbidden } from "./errors.ts";
import { gitConfigValue } from "./git-config.ts";

/** A path, or the configuration of a repository. */
const MAX_FILE_BYTES = 1_000_000;

/**
 * Undefined where the file names what is no git directory, or one that does not name this folder in turn: the file
 * comes with the workspace, and what it names is read and watched. Throws other system errors: without the ignore rules of
 * the repository, excluded files would be indexed.
 */
export function followGitFile(dot: string): string | undefined {
  const pointer = /^gitdir: (.+)$/m.exec(textOf(dot) ?? "")?.[1];
  if (pointer === undefined) return undefined;
  const git = resolve(dirname(dot), pointer.trim());
  if (textOf(join(git, "HEAD")) === undefined) return undefined;
  return isWorktreeOf(git, dot) || isSubmoduleOf(git, dirname(dot)) ? git : undefined;
}

/** The directory of a worktree names the `.git` file. */
function isWorktreeOf(git: string, dot: string): boolean {
  const back = textOf(join(git, "gitdir"))?.trim();
  return back !== undefined && isSame(resolve(git, back), dot);
}

/** The directory of a submodule names the folder that is checked out from it. */
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

/** Undefined for what is no file or cannot be read; never waits for a pipe. */
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
