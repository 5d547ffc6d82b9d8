/** Lists folders that need no watch, because watches cost kernel memory and are limited. */

import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isMissingOrForbidden } from "../../common/errors.ts";
import { FOLDER_LINES } from "../ignore/built-in-excludes.ts";
import { compilePatterns } from "../ignore/ignore-patterns.ts";
import type { IgnoreRules } from "../ignore/ignore-rules.ts";

/** The watcher compares each event with each of these folders. */
const MAX_FOLDERS = 500;

const builtIn = compilePatterns(FOLDER_LINES);

/**
 * Paths of excluded folders, relative to the root, and one glob for the built-in names, which also covers folders that are
 * created later. The glob omits built-in names that a rule re-includes somewhere. One glob with 60 names is 15 times as
 * fast as 60 globs: 0.15 s instead of 2.3 s for 1,100 folders.
 */
export async function unwatchedFolders(root: string, rules: IgnoreRules): Promise<string[]> {
  const folders: string[] = [];
  const reincluded = new Set<string>();
  const walk = async (folder: string): Promise<void> => {
    for (const name of await foldersIn(join(root, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const line = builtIn(path, true)?.text;
      if (rules.decide(path, "folder") === undefined) {
        if (line !== undefined) reincluded.add(line);
        await walk(path);
      } else folders.push(path);
    }
  };
  await walk("");
  const names = FOLDER_LINES.filter((line) => !reincluded.has(line)).map(nameIn);
  const others = folders.filter((path) => {
    const line = builtIn(path, true)?.text;
    return line === undefined || reincluded.has(line);
  });
  return [`**/{${names.join(",")}}`, ...others.slice(0, MAX_FOLDERS)];
}

function nameIn(line: string): string {
  return line.replace(/^\*\*\//, "").slice(0, -1);
}

/**
 * The names of the subfolders. Empty for a folder that does not exist or may not be read. Throws other system errors.
 */
export async function foldersIn(
  folder: string,
  listed?: (entries: readonly Dirent[]) => void,
): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    listed?.(entries);
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (isMissingOrForbidden(error)) return [];
    throw error;
  }
}
