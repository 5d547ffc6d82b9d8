/** Chooses the index of another worktree that a new index of the same repository begins with. */

import { relative } from "node:path";
import { readHead } from "../../common/git-head.ts";
import { commonGitFolder, isSamePath, topOfRepository } from "../../common/git-pointer.ts";
import type { IndexRecord } from "../../contracts/model.ts";
import type { IndexStore, Store } from "../../contracts/store.ts";
import type { IndexDeps } from "./index-deps.ts";
import { isGone } from "./unneeded-worktrees.ts";

type Deps = Pick<IndexDeps, "lanesFiles" | "committedAt">;

interface Candidate {
  readonly root: string;
  readonly store: IndexStore;
  /** The largest comes first. */
  readonly rank: string;
}

/**
 * The index of this installation for the same folder in another worktree, also in one that was moved or removed. One of the
 * commit that is checked out here comes first: fewer files differ than of any other. Then one whose lanes come from a snapshot,
 * which is saved now if its index is open: a worktree that was made a moment ago is still at work and has none. Then the
 * last written.
 */
export async function chooseSeed(
  root: string,
  records: readonly IndexRecord[],
  database: Store,
  deps: Deps,
): Promise<IndexStore | undefined> {
  const { commit } = await readHead(root);
  const candidates: Candidate[] = [];
  for (const record of othersOf(root, records)) {
    const store = await database.find(record.name);
    if (store === undefined) continue;
    const isSameCommit = commit !== undefined && record.commit === commit;
    const keys = [Number(isSameCommit), Number(await hasLanes(store, record, deps))];
    candidates.push({ root: record.root, store, rank: `${keys.join("")} ${record.updatedAt}` });
  }
  const chosen = candidates.toSorted((a, b) => (a.rank < b.rank ? 1 : -1))[0];
  if (chosen?.store.isShared === false) await deps.committedAt(chosen.root)?.saveLanes();
  return chosen?.store;
}

/** Whether its lanes have a snapshot, or can have one now. */
async function hasLanes(store: IndexStore, { root }: IndexRecord, deps: Deps): Promise<boolean> {
  if (store.isShared) return false;
  return deps.committedAt(root) !== undefined || (await deps.lanesFiles.has(store));
}

function othersOf(root: string, records: readonly IndexRecord[]): readonly IndexRecord[] {
  const own = placeOf(root);
  if (own === undefined) return [];
  return records.filter(({ root: other, installation, worktreeOf }) => {
    if (installation === "another" || other === root) return false;
    const place = isGone(other) ? { git: worktreeOf, folder: "" } : placeOf(other);
    if (place?.git === undefined || place.folder !== own.folder) return false;
    return isSamePath(place.git, own.git);
  });
}

/** The shared git directory of a root, and its folder in the worktree. Undefined outside a repository. */
function placeOf(root: string): { readonly git: string; readonly folder: string } | undefined {
  const top = topOfRepository(root);
  return top === undefined ? undefined : { git: commonGitFolder(top), folder: relative(top, root) };
}
