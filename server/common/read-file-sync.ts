/** Reads untrusted files as read-file.ts does, in a thread that would only wait meanwhile, or from a disk that is quick. */

import {
  type BigIntStats,
  closeSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { isMissing } from "./errors.ts";
import { isInside } from "./path-inside.ts";
import { type Absent, absentFor, isSameFile, READ_ONLY } from "./read-file.ts";

interface OpenFile {
  readonly descriptor: number;
  /** As it was opened, before it is read: what is written meanwhile makes it another one. */
  readonly found: BigIntStats;
}

/**
 * Below `root`, a real path, also while files and links change places. A worker thread read 4,850 files in a tenth of
 * the time of the asynchronous way, which takes nine turns of the event loop for a file.
 */
export function readFileInsideSync<T>(
  root: string,
  path: string,
  read: (file: OpenFile) => T,
): T | Absent {
  const real = realPathOf(join(root, path));
  if (real === undefined) return { absent: "there is no such file" };
  if (!isInside(root, real)) return { absent: "it is a link out of the workspace" };
  return readFileAtSync<T | Absent>(real, (file) => {
    // A folder on its way may have become a link before it was opened.
    const isSame =
      realPathOf(real) === real && isSameFile(statSync(real, { bigint: true }), file.found);
    return isSame ? read(file) : { absent: "there is no such file" };
  });
}

/** As `readBytes` does. */
export function readBytesSync({ descriptor, found }: OpenFile): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Number(found.size));
  for (let count = 0; count < bytes.length; ) {
    const bytesRead = readSync(descriptor, bytes, count, bytes.length - count, count);
    if (bytesRead === 0) return bytes.subarray(0, count);
    count += bytesRead;
  }
  return bytes;
}

function readFileAtSync<T>(path: string, read: (file: OpenFile) => T): T | Absent {
  try {
    const descriptor = openSync(path, READ_ONLY);
    try {
      const found = fstatSync(descriptor, { bigint: true });
      return found.isFile() ? read({ descriptor, found }) : { absent: "it is no file" };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return absentFor(error);
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
