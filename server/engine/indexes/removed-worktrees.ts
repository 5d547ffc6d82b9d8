/** Deletes the indexes of linked worktrees a day after the worktrees. */

import { lstatSync } from "node:fs";
import { isMissing } from "../../common/errors.ts";
import { commonGitFolder, isSamePath, topOfRepository } from "../../common/git-pointer.ts";
import type { IndexRecord } from "../../contracts/model.ts";
import type { Store } from "../../contracts/store.ts";
import type { IndexDeps } from "./index-deps.ts";

/** A worktree that was moved takes over what its old index has, and a folder may be renamed back. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Deletes the indexes of other worktrees of the repository of `root` whose folders are gone and that were last written a day
 * ago. Called while the repository is there: a folder that is only not mounted belongs to one that is gone, too.
 */
export async function deleteRemovedWorktrees(
  root: string,
  database: Store,
  { lanesFiles, edgesFiles, log }: Pick<IndexDeps, "lanesFiles" | "edgesFiles" | "log">,
  nowMs = Date.now(),
): Promise<void> {
  const top = topOfRepository(root);
  if (top === undefined) return;
  const own = commonGitFolder(top);
  const isRemoved = ({ root: other, worktreeOf, installation, updatedAt }: IndexRecord) =>
    worktreeOf !== undefined &&
    installation !== "another" &&
    Date.parse(updatedAt) < nowMs - KEPT_MS &&
    isSamePath(worktreeOf, own) &&
    isGone(other);
  for (const { name, root: removed } of (await database.list()).filter(isRemoved)) {
    await Promise.all([lanesFiles.remove(name), edgesFiles.remove(name)]);
    await database.drop(name);
    log.info("the index of a removed worktree was deleted", { name, root: removed });
  }
}

/** Not if the folder may only not be read. */
export function isGone(folder: string): boolean {
  try {
    lstatSync(folder);
    return false;
  } catch (error) {
    return isMissing(error);
  }
}
