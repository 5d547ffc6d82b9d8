/** Synchronous variants of read-file.ts for worker threads and local disks. */

import {
  type BigIntStats,
  closeSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { isMissing, isMissingOrForbidden } from "./errors.ts";
import { isInside } from "./path-inside.ts";
import { type Absent, absentFor, isSameFile, OPEN_FLAGS } from "./read-file.ts";

/**
 * Undefined if the file system call fails: for a path through a file (the .git of a worktree whose repository is gone), a
 * folder of another user, or a link to itself.
 */
export function lookAt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissingOrForbidden(error)) return undefined;
    throw error;
  }
}

export function statOf(path: string): Stats | undefined {
  return lookAt(() => statSync(path, { throwIfNoEntry: false }));
}

export interface OpenFile {
  readonly descriptor: number;
  /** The state when the file was opened, before it is read. A later write changes it. */
  readonly found: BigIntStats;
}

/**
 * Reads a file below `root`, which is a real path, even if files and links are exchanged meanwhile. A worker read 4,850
 * files in a tenth of the time of the asynchronous variant, which takes nine turns of the event loop per file.
 */
export function readFileInsideSync<T>(
  root: string,
  path: string,
  read: (file: OpenFile) => T,
): T | Absent {
  const real = realPathOf(join(root, path));
  if (real === undefined) return { absent: "the file does not exist" };
  if (!isInside(root, real)) return { absent: "it is a link out of the workspace" };
  return readFileAtSync<T | Absent>(real, (file) => {
    // A parent folder may have been replaced by a link before the file was opened.
    const isSame =
      realPathOf(real) === real && isSameFile(statSync(real, { bigint: true }), file.found);
    return isSame ? read(file) : { absent: "the file does not exist" };
  });
}

/** Like `readBytes`. */
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
    const descriptor = openSync(path, OPEN_FLAGS);
    try {
      const found = fstatSync(descriptor, { bigint: true });
      return found.isFile() ? read({ descriptor, found }) : { absent: "it is not a file" };
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
