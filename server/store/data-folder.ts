/** Creates and checks the folder of the built-in database, and moves it aside when it is damaged. */

import { execFile } from "node:child_process";
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { isErrorCode, messageOf, Unavailable } from "../common/errors.ts";
import { builtFile } from "./built-file.ts";
import { unpackEmptyDatabase } from "./empty-database.ts";

const run = promisify(execFile);

/** Without these files PGlite creates a new database over the old one, or fails to open. */
const VITAL = ["PG_VERSION", "global/pg_control"];

/** Recovery may need this much: a segment of the write-ahead log alone has 16 MB. */
const SPARE_BYTES = 128_000_000;

/** Whether a database must be created first. */
export function isEmpty(folder: string): boolean {
  return !isThere(folder) || readdirSync(folder).length === 0;
}

/** Whether the folder has files, but not all vital files of a database. */
export function isIncomplete(folder: string): boolean {
  return !isEmpty(folder) && lacksFiles(folder);
}

/** Whether a vital file of the database is missing. */
export function lacksFiles(folder: string): boolean {
  return VITAL.some((file) => !isThere(join(folder, file)));
}

/** Throws for a path that cannot be inspected, because it may exist. */
function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if (isErrorCode(error, "ENOENT")) return false;
    throw error;
  }
}

/**
 * Creates a database in a draft folder next to the target and renames it when it is complete, so that an interruption
 * leaves no partial database. The draft has the process id in its name, as an interrupted process may still write to its own.
 */
export async function makeDatabase(folder: string, timeoutMs: number): Promise<void> {
  const drafts = `${basename(folder)}.new-`;
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  removeBeside(folder, drafts);
  const draft = join(dirname(folder), `${drafts}${process.pid}`);
  mkdirSync(draft, { mode: 0o700 });
  try {
    if (!(await unpackEmptyDatabase(draft))) await initializeDatabase(draft, timeoutMs);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Runs initdb in its own process, where the package contains no empty database to unpack. */
export async function initializeDatabase(folder: string, timeoutMs: number): Promise<void> {
  try {
    await run(process.execPath, [builtFile("initdb.js"), folder], { timeout: timeoutMs });
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    throw new Error(said || `creating the database took longer than ${timeoutMs} ms`, {
      cause: error,
    });
  }
}

/** The reason if the folder cannot be used at all (not writable, disk full); undefined if its content is to blame. */
export function whyUnusable(folder: string): Unavailable | undefined {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
      return new Unavailable(
        `the database path ${folder} is not a folder`,
        "remove it, or set COCOSEARCH_HOME to another folder",
      );
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const file of ["", ...VITAL]) {
      const path = join(folder, file);
      if (isThere(path)) accessSync(path, constants.R_OK | constants.W_OK);
    }
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < SPARE_BYTES) {
      const megabytes = Math.floor((bavail * bsize) / 1e6);
      return new Unavailable(
        `the disk with the database ${folder} has only ${megabytes} MB left`,
        "free some space, or set COCOSEARCH_HOME to a folder on another disk",
      );
    }
    tryWriting(join(folder, "probe"));
    return undefined;
  } catch (error) {
    return new Unavailable(
      `the database ${folder} cannot be written (${messageOf(error)})`,
      "make the folder writable, free some space, or set COCOSEARCH_HOME to another folder",
      { cause: error },
    );
  }
}

function tryWriting(probe: string): void {
  try {
    writeFileSync(probe, "x".repeat(65_536));
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Renames a damaged folder and returns its new path. Keeps only the latest one for inspection, so that the disk does not fill. */
export function moveAside(folder: string): string {
  const broken = `${basename(folder)}.broken-`;
  removeBeside(folder, broken);
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const aside = join(dirname(folder), `${broken}${time}`);
  renameSync(folder, aside);
  return aside;
}

function removeBeside(folder: string, prefix: string): void {
  for (const name of readdirSync(dirname(folder))) {
    if (name.startsWith(prefix)) rmSync(join(dirname(folder), name), { recursive: true });
  }
}
