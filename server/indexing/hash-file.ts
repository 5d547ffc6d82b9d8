/** Hashes a file of a workspace without preparing it. */

import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { trySystemCall } from "../common/errors.ts";
import type { QuickDisk } from "../common/quick-disk.ts";
import { readBytes, readFileInside } from "../common/read-file.ts";
import { readBytesSync } from "../common/read-file-sync.ts";
import { statFingerprint } from "./watching/stat-fingerprint.ts";

/** Reads that wait for the disk at the same time; the hashes are computed one after the other. */
export const READS_AT_ONCE = 8;

interface HashedFile {
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  readonly statFingerprint?: string;
}

/** Undefined if the file is gone or cannot be read. With `disk`, a small file is read synchronously while the disk is quick. */
export async function hashFile(
  root: string,
  path: string,
  disk?: QuickDisk,
): Promise<HashedFile | undefined> {
  const read = await trySystemCall(async () => {
    const small = await disk?.readSmall(root, path, (file) => {
      const now = Date.now();
      return hashedFile(readBytesSync(file), file.found, now);
    });
    if (small !== undefined && small !== "later") return small;
    return await readFileInside(root, path, async (file) => {
      const now = Date.now();
      return hashedFile(await readBytes(file), file.found, now);
    });
  });
  return read === undefined || "absent" in read ? undefined : read;
}

/** `found` is the state at `nowMs`, before the file was read. */
function hashedFile(bytes: Buffer, found: BigIntStats, nowMs: number): HashedFile {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const recognized = statFingerprint(found, nowMs);
  const file = { sha256, size: bytes.length };
  return recognized === undefined ? file : { ...file, statFingerprint: recognized };
}
