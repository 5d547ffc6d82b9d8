/** Reads untrusted files: never waits for a pipe, never follows a link out of the workspace. */

import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isErrorCode } from "./errors.ts";
import { isInside } from "./path-inside.ts";

interface OpenFile {
  readonly handle: FileHandle;
  /** As it was opened, before it is read: what is written meanwhile makes it another one. */
  readonly found: BigIntStats;
}

export interface Absent {
  readonly absent: "there is none" | "it is no file" | "it is a link out of the workspace";
}

const NOT_THERE = ["ENOENT", "ENOTDIR", "ELOOP"];

export function isNotThere(error: unknown): boolean {
  return NOT_THERE.some((code) => isErrorCode(error, code));
}

/** Follows links anywhere. Throws the system's error for a file that may not be read. */
export async function readFileAt<T>(
  path: string,
  read: (file: OpenFile) => Promise<T>,
): Promise<T | Absent> {
  try {
    // Opening a pipe would wait for who writes into it.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await handle.stat({ bigint: true });
      return found.isFile() ? await read({ handle, found }) : { absent: "it is no file" };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isErrorCode(error, "ENXIO")) return { absent: "it is no file" };
    if (isNotThere(error)) return { absent: "there is none" };
    throw error;
  }
}

/** The same below `root`, a real path, also while files and links change places. */
export async function readFileInside<T>(
  root: string,
  path: string,
  read: (file: OpenFile) => Promise<T>,
): Promise<T | Absent> {
  const real = await realPathOf(join(root, path));
  if (real === undefined) return { absent: "there is none" };
  if (!isInside(root, real)) return { absent: "it is a link out of the workspace" };
  return await readFileAt<T | Absent>(real, async (file) => {
    // A folder on its way may have become a link before it was opened.
    const isSame = (await realPathOf(real)) === real && (await isAt(real, file.found));
    return isSame ? await read(file) : { absent: "there is none" };
  });
}

async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isNotThere(error)) return undefined;
    throw error;
  }
}

async function isAt(path: string, { ino, dev }: BigIntStats): Promise<boolean> {
  const found = await stat(path, { bigint: true });
  return found.ino === ino && found.dev === dev;
}
