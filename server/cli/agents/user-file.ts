/** Reads a file of the user with the checks that make it safe to rewrite, and replaces it atomically. */

import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { BadRequest, isErrorCode, isSystemError, messageOf } from "../../common/errors.ts";
import { isInside } from "../../common/path-inside.ts";
import { realPath } from "../find-root.ts";

/** Configuration and instructions are read as a whole. A few kilobytes are usual; more is a mistake. */
const MAX_BYTES = 5_000_000;

const BOM = "\ufeff";

/** The permissions of a new file, before the umask. */
const NEW_FILE_MODE = 0o666;

export interface UserFile {
  /** The path in messages. */
  readonly shown: string;
  /** The real path, without symbolic links. */
  readonly path: string;
  /** The folder that the file must stay in. */
  readonly base: string;
  /** The content when it was read. Undefined for a missing file, like the text and the permissions. */
  readonly bytes: Buffer | undefined;
  /** Without the byte order mark. */
  readonly text: string | undefined;
  readonly mode: number | undefined;
}

/** Reads the file with a path relative to the real folder `base`. Throws BadRequest for a file that must not be rewritten. */
export function readUserFile(base: string, name: string, shown: string): UserFile {
  const path = realPath(join(base, name));
  const found = statOf(path, shown);
  if (!isInside(base, path) || found?.isSymbolicLink() === true) {
    const problem = `is a symbolic link, or below one, that does not lead to a place in ${base}`;
    throw new BadRequest(`${shown} ${problem}: replace the link by a file or a folder`);
  }
  const missing = { shown, path, base, bytes: undefined, text: undefined, mode: undefined };
  if (found === undefined) return missing;
  if (found.isDirectory()) throw new BadRequest(`${shown} is a folder: move it away`);
  if (!found.isFile()) throw new BadRequest(`${shown} is not a regular file: move it away`);
  if (found.size > MAX_BYTES)
    throw new BadRequest(`${shown} is larger than 5 MB: edit it yourself`);
  const bytes = attempt(shown, "cannot be read", () => readFileSync(path));
  return { ...missing, bytes, text: decoded(bytes, shown), mode: found.mode & 0o7777 };
}

function statOf(path: string, shown: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (cause) {
    if (isErrorCode(cause, "ENOENT")) return undefined;
    throw new BadRequest(`${shown} cannot be opened: ${messageOf(cause)}`, { cause });
  }
}

function attempt<T>(shown: string, problem: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    throw new BadRequest(`${shown} ${problem}: ${messageOf(cause)}`, { cause });
  }
}

function decoded(bytes: Buffer, shown: string): string {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const problem = `${shown} is not encoded in UTF-8: save it in UTF-8 and try again`;
  if (isUtf16 || bytes.includes(0)) throw new BadRequest(problem);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new BadRequest(problem, { cause });
  }
}

/** Throws BadRequest if the file cannot be replaced or its content has changed since it was read. */
export function checkReplaceable(file: UserFile): void {
  const { shown, path, bytes, mode } = file;
  if (bytes !== undefined) {
    const isReadOnly = ((mode ?? 0) & 0o222) === 0;
    if (isReadOnly) throw new BadRequest(`${shown} is read-only: make it writable and try again`);
    attempt(shown, "cannot be written", () => accessSync(path, constants.W_OK));
  }
  const again = readUserFile(file.base, relative(file.base, path), shown);
  const isSame = bytes === undefined ? again.bytes === undefined : again.bytes?.equals(bytes);
  if (isSame !== true || again.path !== path) {
    throw new BadRequest(`${shown} was changed meanwhile and is left as it is: try again`);
  }
}

/** Writes a temporary file beside the file and renames it, unless the file was changed since it was read. */
export function replaceUserFile(file: UserFile, text: string): void {
  const { shown, path, bytes, mode } = file;
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  const hasBom = bytes?.toString("utf8").startsWith(BOM) === true;
  attempt(shown, "cannot be written", () => {
    mkdirSync(dirname(path), { recursive: true });
    try {
      const options = { flag: "wx", mode: mode ?? NEW_FILE_MODE, flush: true };
      writeFileSync(draft, hasBom ? BOM + text : text, options);
      // The umask does not apply to a file that has its permissions already.
      if (mode !== undefined) chmodSync(draft, mode);
      checkReplaceable(file);
      renameSync(draft, path);
    } finally {
      rmSync(draft, { force: true });
    }
  });
}

/** Deletes the file, and the folders above it that are then empty, up to the base. */
export function deleteUserFile(file: UserFile): void {
  checkReplaceable(file);
  attempt(file.shown, "cannot be deleted", () => rmSync(file.path));
  for (let folder = dirname(file.path); isInside(file.base, folder); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch (error) {
      // Usually ENOTEMPTY: the folder has other files.
      if (!isSystemError(error)) throw error;
      return;
    }
  }
}
