/** Files of a folder that are not what they were at a commit, or at a moment: edited, added, or not tracked yet. */

import { BadRequest, Unavailable } from "../../common/errors.ts";
import { parseTime } from "../../common/time-text.ts";
import {
  type ChangedFiles,
  changedFiles,
  commitBefore,
  hasCommit,
} from "../../history/changed-files.ts";
import type { OpenRepository } from "../../history/open-repository.ts";
import { NoHistory } from "../../history/repository.ts";
import { GitError } from "../../history/run-git.ts";
import { resolveRevision } from "../../indexing/watching/git-head.ts";
import type { Folder } from "./folder.ts";

/**
 * `since` is a revision or a moment; a moment before the first commit, or before the boundary of a shallow clone, means
 * that all files have changed, and the answer is undefined.
 * Rejects with BadRequest for what is neither, and with Unavailable where git does not answer.
 */
export async function changedSince(
  folder: Folder,
  since: string,
  signal?: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const found = await withRepository(folder, async (repository) => {
    const commit = await resolveRevision(folder.index.root, since);
    if (commit !== undefined && (await hasCommit(repository, commit, signal))) {
      return await changedFiles(repository, folder.index.root, commit, signal);
    }
    const seconds = parseTime(since, Date.now());
    if (seconds === undefined) {
      throw new BadRequest(
        `${since} is no commit, branch or tag of ${folder.root}, and no date or age such as 30d`,
        { parameter: "changedSince" },
      );
    }
    const head = await resolveRevision(folder.index.root, "HEAD");
    const before =
      head === undefined ? undefined : await commitBefore(repository, head, seconds, signal);
    if (before === undefined) return undefined;
    return await changedFiles(repository, folder.index.root, before, signal);
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

/** Says what to do where git or the repository is not there. */
export async function withRepository<T>(
  { index }: Folder,
  ask: (repository: OpenRepository) => Promise<T>,
): Promise<T> {
  try {
    return await ask(await index.past.history.repository());
  } catch (error) {
    if (!(error instanceof GitError) && !(error instanceof NoHistory)) throw error;
    const remedy = "name the files, or check that git is installed and the repository is whole";
    throw new Unavailable(`what changed is not known: ${error.message}`, remedy, { cause: error });
  }
}
