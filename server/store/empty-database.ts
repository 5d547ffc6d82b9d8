/** Unpacks the empty database that the package contains, because initdb takes seconds and 700 MB of memory. */

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { extract } from "tar";
import { isErrorCode } from "../common/errors.ts";
import { builtFile } from "./built-file.ts";

/** The manifest that `scripts/build-database.ts` writes beside the archive. */
export interface EmptyDatabaseManifest {
  /** Versions of PGlite and pgvector, and the shared tables: the archive is rebuilt when they change. */
  readonly madeFrom: string;
  /** The hash of the archive's bytes. */
  readonly sha256: string;
}

/** The archive and its manifest in the built package. */
export const EMPTY_DATABASE = {
  archive: builtFile("empty-database.tar.gz"),
  manifest: builtFile("empty-database.json"),
};

/** Reading the 2 MB at once blocked the main thread for up to 70 ms; pieces of this size block it for at most 7 ms. */
const BYTES_AT_ONCE = 65_536;

/**
 * Unpacks the archive into a folder that exists and is empty.
 *
 * Returns false, with the folder still empty, if the archive is missing or does not match the checksum of its manifest.
 * Throws errors of the file system, for example for a full disk.
 */
export async function unpackEmptyDatabase(
  folder: string,
  { archive, manifest } = EMPTY_DATABASE,
): Promise<boolean> {
  const expected = readDatabaseManifest(manifest)?.sha256;
  if (expected === undefined || !existsSync(archive)) return false;
  const actual = createHash("sha256").update(readFileSync(archive)).digest("hex");
  if (actual !== expected) return false;
  // The files get the current owner, also if that is root. `strict` makes an incomplete archive an error instead of a warning.
  const maxReadSize = BYTES_AT_ONCE;
  await extract({ file: archive, cwd: folder, preserveOwner: false, strict: true, maxReadSize });
  return true;
}

/** Undefined if the file is missing or is not JSON. */
export function readDatabaseManifest(file: string): EmptyDatabaseManifest | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as EmptyDatabaseManifest;
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
