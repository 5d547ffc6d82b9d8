/** The files that changed since a commit or a time, for the filter of a search and for impact requests. */

import { join } from "node:path";
import { BadRequest, Unavailable } from "../../common/errors.ts";
import { isInside } from "../../common/path-inside.ts";
import { parseTime } from "../../common/time-text.ts";
import type { ImpactRequest } from "../../contracts/graph-requests.ts";
import { changedFiles, commitBefore, commitOf } from "../changed-files.ts";
import { locateDiffPaths, pathsOfDiff } from "../diff-paths.ts";
import type { OpenRepository } from "../open-repository.ts";
import { NoHistory } from "../repository.ts";
import { GitError } from "../run-git.ts";
import type { HistoryFolder } from "./context.ts";

/**
 * Relative to the folder. `since` is a revision or a time. Undefined for a time before the first commit or before the
 * boundary of a shallow clone: all files have changed. Rejects with BadRequest if `since` is neither, and with Unavailable
 * if git fails.
 */
export async function changedSince(
  folder: HistoryFolder,
  since: string,
  signal?: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const { index, part } = folder;
  const { root } = index;
  const found = await withRepository(folder, async (repository) => {
    const commit = await commitOf(repository, root, since, signal);
    if (commit !== undefined) return await changedFiles(repository, root, commit, signal);
    const seconds = parseTime(since, Date.now());
    if (seconds === undefined) {
      throw new BadRequest(
        `${since} is not a commit, branch or tag of ${folder.root}, nor a date or an age such as 30d`,
        { parameter: "changedSince" },
      );
    }
    const before = await commitBefore(repository, seconds, signal);
    return before === undefined ? undefined : await changedFiles(repository, root, before, signal);
  });
  if (found === undefined) return undefined;
  const prefix = part === undefined ? "" : `${part}/`;
  const inside = [...found.changed, ...found.untracked].filter((path) => path.startsWith(prefix));
  return new Set(inside.map((path) => path.slice(prefix.length)));
}

interface ChangedPaths {
  readonly paths: readonly string[];
  /** Files that git does not track; the caller ignores untracked files that are not indexed. */
  readonly untracked: readonly string[];
}

export async function changedPaths(
  folders: readonly HistoryFolder[],
  { paths, diff, revision, root }: ImpactRequest,
  signal?: AbortSignal,
): Promise<ChangedPaths> {
  if (paths !== undefined) return { paths, untracked: [] };
  const folder = root === undefined ? folders[0] : folders.find((one) => one.root === root);
  if (folder === undefined)
    throw new BadRequest(root === undefined ? "no folder is open" : `${root} is not open`);
  if (diff !== undefined) {
    return { paths: locateDiffPaths(folder.root, pathsOfDiff(diff)), untracked: [] };
  }
  return await differingPaths(folder, revision ?? "HEAD", signal);
}

async function differingPaths(
  folder: HistoryFolder,
  revision: string,
  signal: AbortSignal | undefined,
): Promise<ChangedPaths> {
  const { root, index } = folder;
  return await withRepository(folder, async (repository) => {
    const commit = await commitOf(repository, index.root, revision, signal);
    if (commit === undefined) {
      throw new BadRequest(`${revision} is not a commit, branch or tag of ${root}`, {
        parameter: "revision",
      });
    }
    const { changed, untracked } = await changedFiles(repository, index.root, commit, signal);
    const absolute = (path: string) => join(index.root, path);
    const isOwn = (path: string) => isInside(root, path);
    return {
      paths: changed.map(absolute).filter(isOwn),
      untracked: untracked.map(absolute).filter(isOwn),
    };
  });
}

/** Runs `ask` with the repository. Rejects with Unavailable, which says what to do, without git or a repository. */
async function withRepository<T>(
  { index }: HistoryFolder,
  ask: (repository: OpenRepository) => Promise<T>,
): Promise<T> {
  try {
    return await ask(await index.history.reader.repository());
  } catch (error) {
    if (!(error instanceof GitError) && !(error instanceof NoHistory)) throw error;
    const remedy = "name the files, or check that git is installed and the repository is intact";
    throw new Unavailable(`cannot list changed files: ${error.message}`, remedy, { cause: error });
  }
}
