/** Reads untrusted files: never blocks on a pipe and never follows a link out of the workspace. */

import { type BigIntStats, constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isErrorCode, isMissing, trySystemCall } from "./errors.ts";
import { isInside } from "./path-inside.ts";

interface OpenFile {
  readonly handle: FileHandle;
  /** The state when the file was opened, before it is read. A later write changes it. */
  readonly found: BigIntStats;
}

export interface Absent {
  readonly absent:
    | "the file does not exist"
    | "it is not a file"
    | "it is a link out of the workspace";
}

/** Without O_NONBLOCK, opening a pipe blocks until a process writes to it. */
export const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Maps an error to the reason why no file can be read. Throws any other error. */
export function absentFor(error: unknown): Absent {
  if (isErrorCode(error, "ENXIO")) return { absent: "it is not a file" };
  if (isMissing(error)) return { absent: "the file does not exist" };
  throw error;
}

export function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** Reads a file, following links anywhere. Throws the system's error if the file cannot be read. */
export async function readFileAt<T>(
  path: string,
  read: (file: OpenFile) => Promise<T>,
): Promise<T | Absent> {
  try {
    const handle = await open(path, OPEN_FLAGS);
    try {
      const found = await handle.stat({ bigint: true });
      return found.isFile() ? await read({ handle, found }) : { absent: "it is not a file" };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return absentFor(error);
  }
}

/** The text of a file; undefined if it is missing, larger than `maxBytes`, or may not be read. */
export async function readTextUpTo(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const read = await readFileAt(path, async ({ handle, found }) =>
      found.size > maxBytes ? {} : { text: await handle.readFile("utf8") },
    );
    return "absent" in read ? undefined : read.text;
  } catch (error) {
    if (isErrorCode(error, "EACCES") || isErrorCode(error, "EISDIR")) return undefined;
    throw error;
  }
}

/** Reads a file below `root`, which is a real path, even if files and links are exchanged meanwhile. */
export async function readFileInside<T>(
  root: string,
  path: string,
  read: (file: OpenFile) => Promise<T>,
): Promise<T | Absent> {
  const real = await realPathOf(join(root, path));
  if (real === undefined) return { absent: "the file does not exist" };
  if (!isInside(root, real)) return { absent: "it is a link out of the workspace" };
  return await readFileAt<T | Absent>(real, async (file) => {
    // A parent folder may have been replaced by a link before the file was opened.
    const [again, there] = await Promise.all([realPathOf(real), stat(real, { bigint: true })]);
    const isSame = again === real && isSameFile(there, file.found);
    return isSame ? await read(file) : { absent: "the file does not exist" };
  });
}

/** Reads up to the size that the file had when it was opened; fewer bytes if it was truncated since. */
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

/** `lstat`, or undefined if the path does not exist or may not be accessed. */
export async function lstatIfExists(path: string): Promise<Stats | undefined> {
  return await trySystemCall(() => lstat(path));
}
