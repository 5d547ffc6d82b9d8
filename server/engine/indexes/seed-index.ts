/**
 * Finds the part of another worktree's index that a new index of the same repository may take over: the files with the same
 * path and content. They are not parsed, cut and embedded again.
 */

import { relative } from "node:path";
import { readHead } from "../../common/git-head.ts";
import { commonGitFolder, isSamePath, topOfRepository } from "../../common/git-pointer.ts";
import type { Log } from "../../common/log.ts";
import { createPause } from "../../common/slices.ts";
import type { LiveLanes } from "../../contracts/lanes.ts";
import type { IndexRecord } from "../../contracts/model.ts";
import type { IndexSeed, IndexStore, Store } from "../../contracts/store.ts";
import { forEachLimited } from "../../indexing/concurrency.ts";
import { hashFile, READS_AT_ONCE } from "../../indexing/hash-file.ts";
import type { IgnoreRules } from "../../indexing/ignore/ignore-rules.ts";
import { compatibility } from "../../store/compatibility.ts";
import type { StateFiles } from "./state-files.ts";
import { isGone } from "./unneeded-worktrees.ts";

export interface FoundSeed extends IndexSeed {
  /** The other index. */
  readonly store: IndexStore;
  /** Its state before the files were compared. */
  readonly stateId: string;
}

/** A new index, and the rules of its files. */
interface NewIndex {
  readonly root: string;
  readonly rules: IgnoreRules;
  /** The versions and the model that its rows would be made with. */
  readonly current: Parameters<typeof compatibility>[1];
}

/** Undefined if no other worktree of the repository is among the records with rows that the new index can use. */
export async function findSeed(
  { root, rules, current }: NewIndex,
  records: readonly IndexRecord[],
  database: Store,
  log: Log,
): Promise<FoundSeed | undefined> {
  const usable = records.filter((record) => compatibility(record, current).kind === "usable");
  const other = await findWorktree(root, usable);
  const store = other && (await database.find(other.name));
  if (store === undefined) return undefined;
  const start = performance.now();
  const stateId = await store.stateId();
  const hashes = await store.hashes();
  const files: IndexSeed["files"][number][] = [];
  const pause = createPause();
  await forEachLimited([...hashes], READS_AT_ONCE, async ([path, sha256]) => {
    await pause();
    if (rules.decide(path, "file") !== undefined) return;
    const found = await hashFile(root, path);
    if (found?.sha256 === sha256) files.push({ path, ...found });
  });
  log.info("an index begins with files of another worktree", {
    root,
    from: store.name,
    files: files.length,
    of: hashes.size,
    ms: Math.round(performance.now() - start),
  });
  return files.length === 0 ? undefined : { from: store.name, files, store, stateId };
}

/**
 * The lanes of the other index without the files that differ, from its snapshot. Undefined if that is not of the state that
 * the rows were copied from.
 */
export async function seedLanes(
  { store, stateId, files }: FoundSeed,
  lanesFiles: StateFiles<LiveLanes>,
): Promise<LiveLanes | undefined> {
  const hashes = await store.hashes();
  const lanes = await lanesFiles.read(store);
  if (lanes === undefined || (await store.stateId()) !== stateId) return undefined;
  for (const { path } of files) hashes.delete(path);
  const others = [...hashes.keys()];
  const pause = createPause();
  for (let from = 0; from < others.length; from += lanes.chunksAtOnce) {
    await lanes.replace(others.slice(from, from + lanes.chunksAtOnce), []);
    await pause();
  }
  return lanes;
}

/**
 * The index of this installation for the same folder in another worktree, also in one that was moved or removed. One of the
 * commit that is checked out here comes first, then the last written.
 */
async function findWorktree(
  root: string,
  records: readonly IndexRecord[],
): Promise<IndexRecord | undefined> {
  const own = placeOf(root);
  if (own === undefined) return undefined;
  const isOther = ({ root: other, installation, worktreeOf }: IndexRecord) => {
    if (installation === "another" || other === root) return false;
    const place = isGone(other) ? { git: worktreeOf, folder: "" } : placeOf(other);
    if (place?.git === undefined || place.folder !== own.folder) return false;
    return isSamePath(place.git, own.git);
  };
  const others = records.filter(isOther);
  const { commit } = await readHead(root);
  const rank = (record: IndexRecord) =>
    `${Number(commit !== undefined && record.commit === commit)} ${record.updatedAt}`;
  return others.toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1))[0];
}

/** The shared git directory of a root, and its folder in the worktree. Undefined outside a repository. */
function placeOf(root: string): { readonly git: string; readonly folder: string } | undefined {
  const top = topOfRepository(root);
  return top === undefined ? undefined : { git: commonGitFolder(top), folder: relative(top, root) };
}
