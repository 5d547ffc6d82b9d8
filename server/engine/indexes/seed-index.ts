/**
 * Finds the part of another worktree's index that a new index of the same repository may take over: the files with the same
 * path and content, stored or kept there. They are not parsed, cut and embedded again.
 */

import { QuickDisk } from "../../common/quick-disk.ts";
import { createPause } from "../../common/slices.ts";
import type { IndexRecord } from "../../contracts/model.ts";
import type { IndexSeed, IndexStore, Store } from "../../contracts/store.ts";
import { forEachLimited } from "../../indexing/concurrency.ts";
import { hashFile, READS_AT_ONCE } from "../../indexing/hash-file.ts";
import type { IgnoreRules } from "../../indexing/ignore/ignore-rules.ts";
import { compatibility } from "../../store/compatibility.ts";
import { chooseSeed } from "./choose-seed.ts";
import type { IndexDeps } from "./index-deps.ts";
import { findSameExclusions } from "./seed-exclusions.ts";

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
  readonly maxFileBytes: number;
  /** A fingerprint of the rules that exclude files by content. */
  readonly exclusionRules: string;
}

/** Undefined if no other worktree of the repository is among the records with rows that the new index can use. */
export async function findSeed(
  index: NewIndex,
  records: readonly IndexRecord[],
  database: Store,
  deps: Pick<IndexDeps, "lanesFiles" | "committedAt" | "log">,
): Promise<FoundSeed | undefined> {
  const { root, rules, current, maxFileBytes, exclusionRules } = index;
  const usable = records.filter((record) => compatibility(record, current).kind === "usable");
  const store = await chooseSeed(root, usable, database, deps);
  if (store === undefined) return undefined;
  const start = performance.now();
  const stateId = await store.stateId();
  const hashes = await store.hashes();
  const kept = await store.kept();
  const files: IndexSeed["files"][number][] = [];
  let fromKept = 0;
  const pause = createPause();
  const disk = new QuickDisk();
  const paths = new Set([...hashes.keys(), ...kept.keys()]);
  await forEachLimited([...paths], READS_AT_ONCE, async (path) => {
    await pause();
    if (rules.decide(path, "file") !== undefined) return;
    const found = await hashFile(root, path, disk);
    if (found === undefined) return;
    const isStored = found.sha256 === hashes.get(path);
    if (!isStored && kept.get(path)?.has(found.sha256) !== true) return;
    const { sha256, statFingerprint } = found;
    // The other index may have a higher limit: the pass reads the file again and excludes it, unless it is a notebook.
    const isRecognized = statFingerprint !== undefined && found.size <= maxFileBytes;
    files.push({ path, sha256, ...(isRecognized ? { statFingerprint } : {}) });
    if (!isStored) fromKept++;
  });
  deps.log.info("an index begins with files of another worktree", {
    root,
    from: store.name,
    files: files.length,
    of: hashes.size,
    kept: fromKept,
    ms: Math.round(performance.now() - start),
  });
  if (files.length === 0) return undefined;
  const excluded = await findSameExclusions(index, store, disk);
  const exclusions = { rules: exclusionRules, excluded };
  return { from: store.name, files, exclusions, store, stateId };
}
