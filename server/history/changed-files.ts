/** Which files of a work tree differ from a commit, with those that git does not track yet, and which are not checked out. */

import { randomUUID } from "node:crypto";
import { copyFile, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isErrorCode } from "../common/errors.ts";
import { readFileAt } from "../common/read-file.ts";
import type { GitDirectory } from "../contracts/history.ts";
import type { OpenRepository } from "./open-repository.ts";
import { GitError, gitOutput, type WorkTree } from "./run-git.ts";

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 50_000_000;
const MAX_INDEX_BYTES = 500_000_000;

/**
 * Never looks into submodules: git would run over them with their own configuration. A file of which only the mode or the
 * line ends changed has not changed: whether git converts these is said by a configuration and attributes that are not used.
 */
const DIFF = [
  "-c",
  "core.fileMode=false",
  "-c",
  "core.autocrlf=input",
  "-c",
  "core.safecrlf=false",
  "diff",
  "--name-only",
  "-z",
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--ignore-submodules=all",
];
const UNTRACKED = ["ls-files", "-z", "--others", "--exclude-standard"];

export interface ChangedFiles {
  /** Relative to the workspace, also of deleted files. */
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
}

/**
 * Compares the work tree with a commit. `commit` is a hash, and what git may add to one, such as `~2`. Only files of the
 * workspace, which may be a part of the repository. Rejects with GitError for a commit that is not there.
 */
export async function changedFiles(
  repository: OpenRepository,
  root: string,
  commit: string,
  signal?: AbortSignal,
): Promise<ChangedFiles> {
  const { directory, head } = repository;
  const { prefix } = repository.repository;
  const workTree = workTreeOf(repository, root);
  const { index } = workTree;
  const part = prefix === "" ? [] : ["--", `:(literal)${prefix}`];
  const ask = (args: readonly string[]) => listed(directory, [...args, ...part], workTree, signal);
  const compare = async () => {
    const [changed, untracked] = await Promise.all([ask([...DIFF, commit]), ask(UNTRACKED)]);
    const inside = (paths: readonly string[]) => paths.map((path) => path.slice(prefix.length));
    return { changed: inside(changed), untracked: inside(untracked) };
  };
  try {
    // With the times and sizes in the index of the user, git reads only what may have changed.
    if (await copyIndex(join(head.gitFolder, "index"), index)) {
      try {
        return await compare();
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
      }
    }
    // There is none, or it is split, or damaged.
    await listed(directory, ["read-tree", commit], workTree, signal);
    return await compare();
  } finally {
    await rm(index, { force: true });
  }
}

const CHECKED_OUT = ["ls-files", "-t", "-z"];
/** What is before a path of which git was told to leave it out of the work tree, as a sparse checkout tells it. */
const LEFT_OUT = "S ";

/** Those of some files of HEAD that a sparse checkout leaves out. Paths are relative to the workspace. Rejects with GitError. */
export async function notCheckedOut(
  repository: OpenRepository,
  root: string,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const { directory, head } = repository;
  const { prefix } = repository.repository;
  const workTree = workTreeOf(repository, root);
  try {
    if (!(await copyIndex(join(head.gitFolder, "index"), workTree.index))) return new Set();
    const wanted = paths.map((path) => `:(literal)${prefix}${path}`);
    const found = await listed(directory, [...CHECKED_OUT, "--", ...wanted], workTree, signal);
    const away = found.filter((line) => line.startsWith(LEFT_OUT));
    return new Set(away.map((line) => line.slice(LEFT_OUT.length + prefix.length)));
  } finally {
    await rm(workTree.index, { force: true });
  }
}

/** With a name for a list of files that is not there yet. */
function workTreeOf(
  { directory, repository: { prefix, objectFormat } }: OpenRepository,
  root: string,
): WorkTree {
  const above = prefix.split("/").slice(0, -1);
  const index = join(directory.folder, `index.${randomUUID()}`);
  return { top: join(root, ...above.map(() => "..")), index, objectFormat };
}

export async function hasCommit(
  { directory }: OpenRepository,
  commit: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const options = { timeoutMs: TIMEOUT_MS, maxBytes: 1000, signal };
  try {
    await gitOutput(directory, ["cat-file", "-e", `${commit}^{commit}`], options);
    return true;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

/** The newest ancestor of a commit that is no younger; undefined where all are. */
export async function commitBefore(
  { directory }: OpenRepository,
  head: string,
  seconds: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const options = { timeoutMs: TIMEOUT_MS, maxBytes: 1000, signal };
  const args = ["rev-list", "-1", `--before=${Math.floor(seconds)}`, head];
  return (await gitOutput(directory, args, options)).toString("utf8").trim() || undefined;
}

/**
 * A copy, because what git reads must not change meanwhile; false where there is none that can be read. It is no younger
 * than the index: git reads a file again whose time is not before that of its list, since its size alone tells nothing.
 */
async function copyIndex(from: string, to: string): Promise<boolean> {
  try {
    const read = await readFileAt(from, async ({ found }) => {
      if (found.size > MAX_INDEX_BYTES) return false;
      await copyFile(from, to);
      const second = found.mtimeNs / 1_000_000_000n;
      await utimes(to, Number(second), Number(second));
      return true;
    });
    return read === true;
  } catch (error) {
    if (isErrorCode(error, "EACCES")) return false;
    throw error;
  }
}

/** Each path once: of a file with a conflict git says it several times. */
async function listed(
  directory: GitDirectory,
  args: readonly string[],
  workTree: WorkTree,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_OUTPUT_BYTES, signal, workTree };
  const output = await gitOutput(directory, args, options);
  return [...new Set(output.toString("utf8").split("\0"))].filter((path) => path !== "");
}
