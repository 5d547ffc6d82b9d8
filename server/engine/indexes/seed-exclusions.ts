/**
 * Finds the files that another worktree excludes because of their content, and that are the same in a new one. A worker thread, whose
 * start takes as long as hashing four thousand files, need not read them.
 */

import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { trySystemCall } from "../../common/errors.ts";
import type { QuickDisk } from "../../common/quick-disk.ts";
import { createPause } from "../../common/slices.ts";
import type { KnownExclusion } from "../../contracts/model.ts";
import type { IndexStore } from "../../contracts/store.ts";
import { hashFile } from "../../indexing/hash-file.ts";
import type { IgnoreRules } from "../../indexing/ignore/ignore-rules.ts";
import { isNotebook } from "../../indexing/notebooks/notebook.ts";
import { tooLargeRule } from "../../indexing/prepare.ts";
import { fingerprintOf, statFingerprint } from "../../indexing/watching/stat-fingerprint.ts";

interface NewIndex {
  readonly root: string;
  readonly rules: IgnoreRules;
  /** A fingerprint of the rules that exclude files by content. */
  readonly exclusionRules: string;
  readonly maxFileBytes: number;
}

export async function findSameExclusions(
  own: NewIndex,
  store: IndexStore,
  disk: QuickDisk,
): Promise<readonly KnownExclusion[]> {
  const { root } = await store.record();
  const same: KnownExclusion[] = [];
  const pause = createPause();
  for (const each of await store.exclusions(own.exclusionRules)) {
    await pause();
    if (own.rules.decide(each.path, "file") !== undefined) continue;
    const fingerprint = await fingerprintIfSame(own, { ...each, root }, disk);
    if (fingerprint !== undefined) same.push({ ...each, statFingerprint: fingerprint });
  }
  return same;
}

/** The fingerprint of the file in the new worktree. Undefined if it differs, is too young, or if the other one has changed. */
async function fingerprintIfSame(
  { root, maxFileBytes }: NewIndex,
  theirs: KnownExclusion & { readonly root: string },
  disk: QuickDisk,
): Promise<string | undefined> {
  const { path } = theirs;
  const [other, found] = await Promise.all([statIn(theirs.root, path), statIn(root, path)]);
  if (other === undefined || found === undefined || other.size !== found.size) return undefined;
  if (fingerprintOf(other) !== theirs.statFingerprint) return undefined;
  if (found.size > maxFileBytes) {
    // Decided by its size, so it is not read: it may have gigabytes.
    const isBySize = theirs.rule === tooLargeRule(maxFileBytes) && !isNotebook(path);
    return isBySize ? statFingerprint(found, Date.now()) : undefined;
  }
  const [there, here] = [await hashFile(theirs.root, path, disk), await hashFile(root, path, disk)];
  const isSame = there?.statFingerprint === theirs.statFingerprint && here?.sha256 === there.sha256;
  return isSame ? here.statFingerprint : undefined;
}

async function statIn(root: string, path: string): Promise<BigIntStats | undefined> {
  return await trySystemCall(() => stat(join(root, path), { bigint: true }));
}
