/** The folder of the built-in database: made, checked, and moved aside when it is damaged. */

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

/** Less than this may be too little for recovery: a segment of the log alone has 16 MB. */
const SPARE_BYTES = 128_000_000;

/** Whether a database has to be made there first. */
export function isEmpty(folder: string): boolean {
  return !isThere(folder) || readdirSync(folder).length === 0;
}

/** Whether there is something in it that is not, or no longer, a whole database. */
export function isIncomplete(folder: string): boolean {
  return !isEmpty(folder) && lacksFiles(folder);
}

/** Whether files are gone without which there is no database. */
export function lacksFiles(folder: string): boolean {
  return VITAL.some((file) => !isThere(join(folder, file)));
}

/** What may not be looked at is there for all we know. */
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
 * Creates a database in a draft folder next to the target and renames it when it is complete, so that an interrupted start
 * leaves nothing half made. The draft is named after the process: one that was interrupted may still write to its own.
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
    throw new Error(said || "it could not be made in time", { cause: error });
  }
}

/** Why nothing can be stored there although nothing is damaged; undefined when it is the folder's content. */
export function whyUnusable(folder: string): Unavailable | undefined {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
      return new Unavailable(
        `${folder}, where the database should be, is no folder`,
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

/** Returns the new path. Only the last damaged folder is kept, so that it can be inspected and the disk does not fill. */
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
