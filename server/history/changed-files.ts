/** Lists the files of a work tree that differ from a commit, are untracked, or are outside a sparse checkout. */

import { randomUUID } from "node:crypto";
import { copyFile, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isErrorCode } from "../common/errors.ts";
import { resolveRevision } from "../common/git-head.ts";
import { readFileAt } from "../common/read-file.ts";
import type { GitDirectory } from "../contracts/history.ts";
import type { OpenRepository } from "./open-repository.ts";
import { GitError, gitOutput, type WorkTree } from "./run-git.ts";

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 50_000_000;
const MAX_INDEX_BYTES = 500_000_000;

/**
 * Submodules are skipped, because git would read them with their own configuration. Changes of mode or line endings alone
 * do not count, because the configuration and attributes that decide on conversion are not used.
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

interface ChangedFiles {
  /** Relative to the workspace; includes deleted files. */
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
}

/**
 * Compares the files of the workspace, which may be a part of the repository, with a commit. `commit` is a hash, optionally
 * with a suffix of git such as `~2`. Rejects with GitError for a missing commit.
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
    // The user's index has times and sizes, so git reads only files that may have changed.
    if (await copyIndex(join(head.gitFolder, "index"), index)) {
      try {
        return await compare();
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
      }
    }
    // The index is missing, split or damaged.
    await listed(directory, ["read-tree", commit], workTree, signal);
    return await compare();
  } finally {
    await rm(index, { force: true });
  }
}

const CHECKED_OUT = ["ls-files", "-t", "-z"];
/** Marks a path with the skip-worktree bit, which a sparse checkout sets. */
const SKIPPED_PREFIX = "S ";

/** The given files of HEAD that are outside the sparse checkout. Paths are relative to the workspace. Rejects with GitError. */
export async function notCheckedOut(
  repository: OpenRepository,
  root: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const { directory, head } = repository;
  const { prefix } = repository.repository;
  const workTree = workTreeOf(repository, root);
  try {
    if (!(await copyIndex(join(head.gitFolder, "index"), workTree.index))) return new Set();
    const wanted = paths.map((path) => `:(literal)${prefix}${path}`);
    const found = await listed(directory, [...CHECKED_OUT, "--", ...wanted], workTree);
    const skipped = found.filter((line) => line.startsWith(SKIPPED_PREFIX));
    return new Set(skipped.map((line) => line.slice(SKIPPED_PREFIX.length + prefix.length)));
  } finally {
    await rm(workTree.index, { force: true });
  }
}

/** `index` is the path of an index file that does not exist yet. */
function workTreeOf(
  { directory, repository: { prefix, objectFormat } }: OpenRepository,
  root: string,
): WorkTree {
  const above = prefix.split("/").slice(0, -1);
  const index = join(directory.folder, `index.${randomUUID()}`);
  return { top: join(root, ...above.map(() => "..")), index, objectFormat };
}

/** The hash of a commit, branch or tag; undefined if it does not exist. */
export async function commitOf(
  { directory, head }: OpenRepository,
  root: string,
  revision: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const commit = await resolveRevision(root, revision);
  // HEAD always exists, which saves a git process.
  if (commit === undefined || commit === head.commit) return commit;
  const options = { timeoutMs: TIMEOUT_MS, maxBytes: 1000, signal };
  try {
    await gitOutput(directory, ["cat-file", "-e", `${commit}^{commit}`], options);
    return commit;
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** The newest ancestor of HEAD committed at or before `seconds` since 1970; undefined if all are newer. */
export async function commitBefore(
  { directory, head }: OpenRepository,
  seconds: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const options = { timeoutMs: TIMEOUT_MS, maxBytes: 1000, signal };
  const args = ["rev-list", "-1", `--before=${Math.floor(seconds)}`, head.commit];
  return (await gitOutput(directory, args, options)).toString("utf8").trim() || undefined;
}

/**
 * Copies an index file, so that it does not change while git reads it; false if it is missing or unreadable. The copy keeps
 * the modification time: git rereads files that are not older than the index ("racy git").
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

/** Paths without duplicates: git lists a file with a conflict several times. */
async function listed(
  directory: GitDirectory,
  args: readonly string[],
  workTree: WorkTree,
  signal?: AbortSignal,
): Promise<string[]> {
  const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_OUTPUT_BYTES, signal, workTree };
  const output = await gitOutput(directory, args, options);
  return [...new Set(output.toString("utf8").split("\0"))].filter((path) => path !== "");
}
