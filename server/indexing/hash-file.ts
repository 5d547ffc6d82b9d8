/** Hashes a file of a workspace without preparing it. */

import { createHash } from "node:crypto";
import { trySystemCall } from "../common/errors.ts";
import { readBytes, readFileInside } from "../common/read-file.ts";
import { statFingerprint } from "./watching/stat-fingerprint.ts";

/** Reads that wait for the disk at the same time; the hashes are computed one after the other. */
export const READS_AT_ONCE = 8;

interface HashedFile {
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  readonly statFingerprint?: string;
}

/** Undefined if the file is gone or cannot be read. */
export async function hashFile(root: string, path: string): Promise<HashedFile | undefined> {
  const read = await trySystemCall(() =>
    readFileInside(root, path, async (file) => {
      const recognized = statFingerprint(file.found, Date.now());
      const bytes = await readBytes(file);
      const hash = createHash("sha256").update(bytes);
      const found = { sha256: hash.digest("hex"), size: bytes.length };
      return recognized === undefined ? found : { ...found, statFingerprint: recognized };
    }),
  );
  return read === undefined || "absent" in read ? undefined : read;
}
