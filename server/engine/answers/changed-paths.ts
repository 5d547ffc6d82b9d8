/** Which files a question about impact is about: those it names, those of a diff, or those that differ from a commit. */

import { join } from "node:path";
import { BadRequest } from "../../common/errors.ts";
import { isInside } from "../../common/path-inside.ts";
import type { ImpactRequest } from "../../contracts/graph-requests.ts";
import { changedFiles, hasCommit } from "../../history/changed-files.ts";
import { locateDiffPaths, pathsOfDiff } from "../../history/diff-paths.ts";
import { resolveRevision } from "../../indexing/watching/git-head.ts";
import { withRepository } from "./changed-since.ts";
import type { Folder } from "./folder.ts";

export interface ChangedPaths {
  readonly paths: readonly string[];
  /** Files that git does not track: those that are not indexed are of no interest. */
  readonly untracked: readonly string[];
}

export async function changedPaths(
  folders: readonly Folder[],
  { paths, diff, revision, root }: ImpactRequest,
  signal?: AbortSignal,
): Promise<ChangedPaths> {
  if (paths !== undefined) return { paths, untracked: [] };
  const folder = root === undefined ? folders[0] : folders.find((one) => one.root === root);
  if (folder === undefined) throw new BadRequest(`${root ?? "no folder"} is not opened`);
  if (diff !== undefined) {
    return { paths: locateDiffPaths(folder.root, pathsOfDiff(diff)), untracked: [] };
  }
  return await differingPaths(folder, revision ?? "HEAD", signal);
}

async function differingPaths(
  folder: Folder,
  revision: string,
  signal: AbortSignal | undefined,
): Promise<ChangedPaths> {
  const { root, index } = folder;
  return await withRepository(folder, async (repository) => {
    const commit = await resolveRevision(index.root, revision);
    // The commit of HEAD is there: one process of git less.
    const isThere =
      commit !== undefined &&
      (commit === repository.head.commit || (await hasCommit(repository, commit, signal)));
    if (!isThere) {
      throw new BadRequest(`${revision} is no commit, branch or tag of ${root}`, {
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
