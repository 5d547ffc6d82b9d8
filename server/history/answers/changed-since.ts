/** The files of a folder that changed since a commit or a time: edited, added, or untracked. */

import { BadRequest, Unavailable } from "../../common/errors.ts";
import { parseTime } from "../../common/time-text.ts";
import { type ChangedFiles, changedFiles, commitBefore, commitOf } from "../changed-files.ts";
import type { OpenRepository } from "../open-repository.ts";
import { NoHistory } from "../repository.ts";
import { GitError } from "../run-git.ts";
import type { HistoryFolder } from "./context.ts";

/**
 * `since` is a revision or a time. Undefined for a time before the first commit or before the boundary of a shallow
 * clone: all files have changed. Rejects with BadRequest if `since` is neither, and with Unavailable if git fails.
 */
export async function changedSince(
  folder: HistoryFolder,
  since: string,
  signal?: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const { root } = folder.index;
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
  return found === undefined ? undefined : pathsInFolder(found, folder.part);
}

/** Relative to the folder. */
function pathsInFolder(
  { changed, untracked }: ChangedFiles,
  part: string | undefined,
): Set<string> {
  const prefix = part === undefined ? "" : `${part}/`;
  const inside = [...changed, ...untracked].filter((path) => path.startsWith(prefix));
  return new Set(inside.map((path) => path.slice(prefix.length)));
}

/** Runs `ask` with the repository. Rejects with Unavailable, which says what to do, without git or a repository. */
export async function withRepository<T>(
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
