/** Tells without reading that a file is still the one that was hashed. */

import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { forEachLimited } from "../concurrency.ts";
import type { StoredFiles } from "../stored-files.ts";

/**
 * A file that was written less long ago may be written again within one tick of its file system's clock and look
 * the same: git's racy rule. FAT's ticks are the longest, two seconds.
 */
const SETTLED_MS = 2_000;

/** Asking costs 8 µs a file then, four times as much one after the other (4 thousand files, ext4). */
const AT_ONCE = 32;

/**
 * Undefined for a file that is too young to be told by it. A time of change cannot be set by a program, so that
 * text of the same length with the old time of writing is noticed where the file system keeps it.
 */
export function statFingerprint(found: BigIntStats, nowMs: number): string | undefined {
  const settled = BigInt(nowMs - SETTLED_MS) * 1_000_000n;
  if (found.mtimeNs > settled || found.ctimeNs > settled) return undefined;
  return fingerprintOf(found);
}

/** The same for a file of any age. */
export function fingerprintOf({ size, ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return [size, ino, mtimeNs, ctimeNs].join(" ");
}

interface Known {
  readonly root: string;
  readonly files: StoredFiles;
}

/** The paths, in order, whose content may differ from what is stored. */
export async function filesToRead(
  { root, files }: Known,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const same = new Set<string>();
  const known = paths.filter(
    (path) => files.fingerprint(path) !== undefined && !files.isUnfinished(path),
  );
  await forEachLimited(known, AT_ONCE, async (path) => {
    signal.throwIfAborted();
    if ((await currentFingerprint(join(root, path))) === files.fingerprint(path)) same.add(path);
  });
  return paths.filter((path) => !same.has(path));
}

/** Undefined also for what cannot be looked at: reading it says why. */
async function currentFingerprint(file: string): Promise<string | undefined> {
  try {
    return statFingerprint(await stat(file, { bigint: true }), Date.now());
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
