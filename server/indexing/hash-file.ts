/** Hashes a file of a workspace without preparing it. */

import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { trySystemCall, trySystemCallSync } from "../common/errors.ts";
import type { QuickDisk } from "../common/quick-disk.ts";
import { readBytes, readFileInside } from "../common/read-file.ts";
import { readBytesSync, readFileInsideSync } from "../common/read-file-sync.ts";
import { statFingerprint } from "./watching/stat-fingerprint.ts";

/** Reads that wait for the disk at the same time; the hashes are computed one after the other. */
export const READS_AT_ONCE = 8;

interface HashedFile {
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  readonly statFingerprint?: string;
}

/** Larger files are read asynchronously, because hashing one takes longer than a slice of the event loop. */
const MAX_BYTES_AT_ONCE = 1_000_000;

/** Undefined if the file is gone or cannot be read. With `disk`, a small file is read synchronously while the disk is quick. */
export async function hashFile(
  root: string,
  path: string,
  disk?: QuickDisk,
): Promise<HashedFile | undefined> {
  if (disk !== undefined && (await disk.isQuick(root))) {
    const hashed = disk.during(() => hashAtOnce(root, path));
    if (hashed !== "later") return hashed;
  }
  const read = await trySystemCall(() =>
    readFileInside(root, path, async (file) => {
      const now = Date.now();
      return hashedFile(await readBytes(file), file.found, now);
    }),
  );
  return read === undefined || "absent" in read ? undefined : read;
}

function hashAtOnce(root: string, path: string): HashedFile | undefined | "later" {
  const read = trySystemCallSync(() =>
    readFileInsideSync(root, path, (file) => {
      const now = Date.now();
      if (file.found.size > MAX_BYTES_AT_ONCE) return { file: "later" as const };
      return { file: hashedFile(readBytesSync(file), file.found, now) };
    }),
  );
  return read === undefined || "absent" in read ? undefined : read.file;
}

/** `found` is the state at `nowMs`, before the file was read. */
function hashedFile(bytes: Buffer, found: BigIntStats, nowMs: number): HashedFile {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const recognized = statFingerprint(found, nowMs);
  const file = { sha256, size: bytes.length };
  return recognized === undefined ? file : { ...file, statFingerprint: recognized };
}
