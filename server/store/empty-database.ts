/** The empty database that is built with the package: unpacking it replaces initdb, which takes seconds and 700 MB. */

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { extract } from "tar";
import { isErrorCode } from "../common/errors.ts";
import { builtFile } from "./built-file.ts";

/** What `scripts/build-database.ts` writes beside the archive. */
export interface EmptyDatabaseManifest {
  /** Versions of PGlite and pgvector, and the shared tables: the archive is rebuilt when they change. */
  readonly madeFrom: string;
  /** Of the archive's bytes. */
  readonly sha256: string;
}

/** The archive and its manifest in the built package. */
export const EMPTY_DATABASE = {
  archive: builtFile("empty-database.tar.gz"),
  manifest: builtFile("empty-database.json"),
};

/** Read whole, the 2 MB held the main thread for 24 to 70 ms; in pieces of this size for 7 at most, and no longer in all. */
const BYTES_AT_ONCE = 65_536;

/**
 * Unpacks the archive into a folder that exists and is empty.
 *
 * Returns false where the package has no archive, or one whose bytes are not those of its manifest; the folder is then
 * still empty. Throws what the file system throws, for example on a full disk.
 */
export async function unpackEmptyDatabase(
  folder: string,
  { archive, manifest } = EMPTY_DATABASE,
): Promise<boolean> {
  const expected = readManifest(manifest)?.sha256;
  if (expected === undefined || !existsSync(archive)) return false;
  const actual = createHash("sha256").update(readFileSync(archive)).digest("hex");
  if (actual !== expected) return false;
  // Without the owner that packed it, also for root; an incomplete archive is an error, not a warning.
  const maxReadSize = BYTES_AT_ONCE;
  await extract({ file: archive, cwd: folder, preserveOwner: false, strict: true, maxReadSize });
  return true;
}

/** Undefined where there is none, or one that cannot be read as a manifest. */
export function readManifest(file: string): EmptyDatabaseManifest | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as EmptyDatabaseManifest;
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
