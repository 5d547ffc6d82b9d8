/** Deletes indexes of linked worktrees: a day after the worktree, and the least recently used ones. */

import { lstatSync } from "node:fs";
import { isMissing } from "../../common/errors.ts";
import { commonGitFolder, isSamePath, topOfRepository } from "../../common/git-pointer.ts";
import type { IndexRecord } from "../../contracts/model.ts";
import type { Store } from "../../contracts/store.ts";
import type { IndexDeps } from "./index-deps.ts";

/** A worktree that was moved takes over what its old index has, and a folder may be renamed back. */
const KEPT_MS = 24 * 3_600_000;
/**
 * Unused indexes of worktrees that are kept per repository. Git's repository with five takes .6 GB, and a deleted one is made again
 * from another one in 3 to 7 seconds (decision 19). People were seen to have hundreds of worktrees, made by coding agents.
 */
const MAX_UNUSED = 5;

type Deps = Pick<IndexDeps, "lanesFiles" | "edgesFiles" | "isOpen" | "log">;

/**
 * Deletes indexes of other worktrees of the repository of `root`: of folders that are gone and were last written a day ago,
 * and the least recently used ones over the limit that no session has open. Called while the repository is there: a
 * folder that is only not mounted belongs to one that is gone, too.
 */
export async function deleteUnneededWorktrees(
  root: string,
  database: Store,
  deps: Deps,
  nowMs = Date.now(),
): Promise<void> {
  const top = topOfRepository(root);
  if (top === undefined) return;
  const own = commonGitFolder(top);
  const isOther = ({ root: other, worktreeOf, installation }: IndexRecord) =>
    other !== root &&
    worktreeOf !== undefined &&
    installation !== "another" &&
    isSamePath(worktreeOf, own);
  const others = (await database.list()).filter(isOther);
  const isRemoved = ({ root: other, updatedAt }: IndexRecord) =>
    Date.parse(updatedAt) < nowMs - KEPT_MS && isGone(other);
  const removed = others.filter(isRemoved);
  for (const record of removed) await remove(record, "its folder is gone", database, deps);
  // On a shared Postgres, the rows are on another disk, and no snapshot file has the time of the last use.
  const kept = others.filter((each) => each.installation === undefined && !removed.includes(each));
  for (const record of await leastUsed(kept, deps)) {
    await remove(record, "other worktrees were used later", database, deps);
  }
}

async function leastUsed(
  records: readonly IndexRecord[],
  { lanesFiles, isOpen }: Deps,
): Promise<readonly IndexRecord[]> {
  const unused = records.filter(({ root }) => !isOpen(root));
  const usedAt = async (record: IndexRecord) =>
    Math.max(Date.parse(record.updatedAt), await lanesFiles.usedAtMs(record.name));
  const dated = await Promise.all(
    unused.map(async (record) => ({ record, usedAtMs: await usedAt(record) })),
  );
  return dated
    .toSorted((a, b) => b.usedAtMs - a.usedAtMs)
    .slice(MAX_UNUSED)
    .map(({ record }) => record);
}

async function remove(
  { name, root }: IndexRecord,
  why: string,
  database: Store,
  { lanesFiles, edgesFiles, isOpen, log }: Deps,
): Promise<void> {
  // A session may have opened it meanwhile.
  if (isOpen(root)) return;
  await Promise.all([lanesFiles.remove(name), edgesFiles.remove(name)]);
  await database.drop(name);
  log.info("the index of a worktree was deleted", { name, root, why });
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
