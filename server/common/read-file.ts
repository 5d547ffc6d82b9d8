/** Reads untrusted files: never waits for a pipe, never follows a link out of the workspace. */

import { type BigIntStats, constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isErrorCode, isMissing, isSystemError } from "./errors.ts";
import { isInside } from "./path-inside.ts";

interface OpenFile {
  readonly handle: FileHandle;
  /** As it was opened, before it is read: what is written meanwhile makes it another one. */
  readonly found: BigIntStats;
}

export interface Absent {
  readonly absent: "there is no such file" | "it is no file" | "it is a link out of the workspace";
}

/** Opening a pipe would wait for who writes into it. */
export const READ_ONLY = constants.O_RDONLY | constants.O_NONBLOCK;

/** Why there is nothing to read; throws what is another failure. */
export function absentFor(error: unknown): Absent {
  if (isErrorCode(error, "ENXIO")) return { absent: "it is no file" };
  if (isMissing(error)) return { absent: "there is no such file" };
  throw error;
}

export function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** Follows links anywhere. Throws the system's error for a file that may not be read. */
export async function readFileAt<T>(
  path: string,
  read: (file: OpenFile) => Promise<T>,
): Promise<T | Absent> {
  try {
    const handle = await open(path, READ_ONLY);
    try {
      const found = await handle.stat({ bigint: true });
      return found.isFile() ? await read({ handle, found }) : { absent: "it is no file" };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return absentFor(error);
  }
}

/** The same below `root`, a real path, also while files and links change places. */
export async function readFileInside<T>(
  root: string,
  path: string,
  read: (file: OpenFile) => Promise<T>,
): Promise<T | Absent> {
  const real = await realPathOf(join(root, path));
  if (real === undefined) return { absent: "there is no such file" };
  if (!isInside(root, real)) return { absent: "it is a link out of the workspace" };
  return await readFileAt<T | Absent>(real, async (file) => {
    // A folder on its way may have become a link before it was opened.
    const [again, there] = await Promise.all([realPathOf(real), stat(real, { bigint: true })]);
    const isSame = again === real && isSameFile(there, file.found);
    return isSame ? await read(file) : { absent: "there is no such file" };
  });
}

/** As many bytes as the file had when it was opened; fewer where it has become shorter. */
export async function readBytes({ handle, found }: OpenFile): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(Number(found.size));
  for (let count = 0; count < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, count, bytes.length - count, count);
    if (bytesRead === 0) return bytes.subarray(0, count);
    count += bytesRead;
  }
  return bytes;
}

async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** What is at a path, links for themselves; undefined where nothing is, or nothing that may be looked at. */
export async function lstatIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
