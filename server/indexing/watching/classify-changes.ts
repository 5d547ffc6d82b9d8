/** Splits paths that may have changed into files to index and files that are gone. */

import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isErrorCode } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { isInside } from "../../common/path-inside.ts";
import { discover } from "../discovery/discover.ts";
import type { IgnoreRules } from "../ignore/ignore-rules.ts";
import type { StoredFiles } from "../stored-files.ts";

export interface ChangeFilter {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly stored: StoredFiles;
  readonly log: Log;
}

/** Splits changed paths into files to index and stored paths that hold no such file any more. */
export async function classifyChanges(
  changed: ReadonlySet<string>,
  { root, rules, stored, log }: ChangeFilter,
): Promise<{ present: string[]; gone: string[] }> {
  const present = new Set<string>();
  const gone = new Set<string>();
  /** What is below them now is known. */
  const known = new Set<string>();
  for (const path of changed) {
    const kind = await kindOf(join(root, path));
    const isOutside = kind !== undefined && (await leadsOut(root, path));
    if (!isOutside && kind !== "other") known.add(path);
    if (isOutside) log.debug("a changed path leads out of the workspace");
    else if (kind === "file" && rules.decide(path, false) === undefined) present.add(path);
    else if (kind === "folder") {
      for await (const each of discover(root, rules, { under: path })) present.add(each.path);
    } else if (stored.has(path)) gone.add(path);
  }
  for (const path of stored.paths()) {
    if (!present.has(path) && isBelow(path, known)) gone.add(path);
  }
  return { present: [...present], gone: [...gone] };
}

/**
 * Whether one of the folders around it changed: it is gone, a file now, or another folder, perhaps without this file. A
 * change inside of a folder names what changed there, and not the folder.
 */
function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    if (folders.has(path.slice(0, at))) return true;
  }
  return false;
}

/** Whether a path is not where it says: a folder on the way may be a link, and clients name what they like. */
async function leadsOut(root: string, path: string): Promise<boolean> {
  try {
    const folder = await realpath(dirname(join(root, path)));
    return folder !== root && !isInside(root, folder);
  } catch (error) {
    // Gone since it was looked at; that is reported too.
    if (isErrorCode(error, "ENOENT") || isErrorCode(error, "ENOTDIR")) return true;
    throw error;
  }
}

/** Undefined when nothing is there. Links count as what they are: discovery decides about them. */
async function kindOf(path: string): Promise<"file" | "folder" | "other" | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || isErrorCode(error, "ENOTDIR")) return undefined;
    throw error;
  }
}
