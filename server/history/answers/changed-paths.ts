/** The files that an impact request is about: named files, the files of a diff, or the differences to a commit. */

import { join } from "node:path";
import { BadRequest } from "../../common/errors.ts";
import { isInside } from "../../common/path-inside.ts";
import type { ImpactRequest } from "../../contracts/graph-requests.ts";
import { changedFiles, commitOf } from "../changed-files.ts";
import { locateDiffPaths, pathsOfDiff } from "../diff-paths.ts";
import { withRepository } from "./changed-since.ts";
import type { HistoryFolder } from "./context.ts";

export interface ChangedPaths {
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
