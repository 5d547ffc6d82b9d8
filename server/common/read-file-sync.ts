/** Reads untrusted files as read-file.ts does, in a thread that would only wait meanwhile. */

import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { isErrorCode } from "./errors.ts";
import { isInside } from "./path-inside.ts";
import { type Absent, isNotThere } from "./read-file.ts";

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
  if (real === undefined) return { absent: "there is none" };
  if (!isInside(root, real)) return { absent: "it is a link out of the workspace" };
  return readFileAtSync<T | Absent>(real, (file) => {
    // A folder on its way may have become a link before it was opened.
    const isSame = realPathOf(real) === real && isAt(real, file.found);
    return isSame ? read(file) : { absent: "there is none" };
  });
}

function readFileAtSync<T>(path: string, read: (file: OpenFile) => T): T | Absent {
  try {
    // Opening a pipe would wait for who writes into it.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = fstatSync(descriptor, { bigint: true });
      return found.isFile() ? read({ descriptor, found }) : { absent: "it is no file" };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (isErrorCode(error, "ENXIO")) return { absent: "it is no file" };
    if (isNotThere(error)) return { absent: "there is none" };
    throw error;
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (isNotThere(error)) return undefined;
    throw error;
  }
}

function isAt(path: string, { ino, dev }: BigIntStats): boolean {
  const found = statSync(path, { bigint: true });
  return found.ino === ino && found.dev === dev;
}
