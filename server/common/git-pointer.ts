/**
 * Finds the top of a repository, and follows the `.git` file of a worktree or submodule to its git directory, but only to
 * a directory that points back.
 */

import { closeSync, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
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
