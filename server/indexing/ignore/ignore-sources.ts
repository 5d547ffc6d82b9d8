/** Reads ignore files: global, per repository, and per folder of the workspace. */

import { lstatSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { gitConfigValue } from "../../common/git-config.ts";
import { commonGitFolder, topOfRepository } from "../../common/git-pointer.ts";
import { lookAt, statOf } from "../../common/read-file-sync.ts";
import { ATTRIBUTES_FILE, parseAttributes } from "./git-attributes.ts";
import { compilePatterns, type FindPattern, type IgnorePattern } from "./ignore-patterns.ts";

/** Compiled .gitignore lines, and the name of the file for exclusion rules. */
export interface Source {
  readonly name: string;
  /** Prepended to a path if the source is in a folder above the root. */
  readonly prefix: string;
  readonly find: FindPattern;
}

/** In order of precedence, lowest first. */
export const IGNORE_FILES = [".gitignore", ".ignore", ".cocosearchignore"] as const;

export function sourceOf(name: string, lines: readonly string[], prefix = ""): Source {
  return { name, prefix, find: compilePatterns(lines) };
}

/** Lowest precedence first: the global file, the repository's exclude file, then the folders above the root, top down. */
export function outerSources(root: string): Source[] {
  const top = topOfRepository(root);
  const prefix = top === undefined || top === root ? "" : `${posix(relative(top, root))}/`;
  const sources = sourcesFrom(globalExcludes(), "global excludes", prefix);
  if (top === undefined) return sources;
  const own = join(commonGitFolder(top), "info/exclude");
  sources.push(...sourcesFrom(own, ".git/info/exclude", prefix));
  for (const folder of foldersBetween(top, root)) {
    sources.push(...sourcesIn(root, folder, `${posix(relative(folder, root))}/`));
  }
  return sources;
}

/** The folders and names of these files, without the global one. */
export function outerRuleFolders(
  root: string,
): { readonly folder: string; readonly names: readonly string[] }[] {
  const top = topOfRepository(root);
  if (top === undefined) return [];
  const above = foldersBetween(top, root).map((folder) => ({ folder, names: IGNORE_FILES }));
  return [{ folder: join(commonGitFolder(top), "info"), names: ["exclude"] }, ...above];
}

/** The folders from the top of the repository down to the parent of the root. */
function foldersBetween(top: string, root: string): string[] {
  const folders: string[] = [];
  for (let at = root; at !== top; ) folders.unshift((at = dirname(at)));
  return folders;
}

/** The existing ignore files of a folder. */
export function sourcesIn(root: string, folder: string, prefix = ""): Source[] {
  return IGNORE_FILES.flatMap((name) => {
    const file = join(folder, name);
    return isThere(file) ? sourcesFrom(file, posix(relative(root, file)), prefix) : [];
  });
}

/** The folder's .gitattributes, if it marks generated or vendored files. */
export function attributesIn(root: string, folder: string): Source[] {
  const file = join(folder, ATTRIBUTES_FILE);
  const text = isThere(file) ? textOf(file) : undefined;
  if (text === undefined || !text.includes("linguist-")) return [];
  const find = compileAttributes(text.split("\n"));
  return [{ name: posix(relative(root, file)), prefix: "", find }];
}

/** Ignores symbolic links, as git does: they may lead out of the repository. */
function isThere(file: string): boolean {
  return lookAt(() => lstatSync(file, { throwIfNoEntry: false }))?.isSymbolicLink() === false;
}

/** The largest generated ignore files have some ten thousand lines. */
const MAX_FILE_BYTES = 10_000_000;

function sourcesFrom(file: string, name: string, prefix: string): Source[] {
  if (isTooLarge(file)) return [everything(name, prefix)];
  const text = textOf(file);
  return text === undefined ? [] : [sourceOf(name, text.split("\n"), prefix)];
}

/** Excludes everything: an ignore file that is too large to read must not let files in. */
function everything(name: string, prefix: string): Source {
  const pattern = {
    line: 1,
    text: `larger than ${MAX_FILE_BYTES / 1_000_000} MB`,
    isNegated: false,
  };
  return { name, prefix, find: () => pattern };
}

function isTooLarge(file: string): boolean {
  return (statOf(file)?.size ?? 0) > MAX_FILE_BYTES;
}

/** `core.excludesFile` of the user's git configuration, else git's default path. */
function globalExcludes(): string {
  const config = process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
  const named = process.env["GIT_CONFIG_GLOBAL"];
  const files = named ? [named] : [join(homedir(), ".gitconfig"), join(config, "git/config")];
  for (const file of files) {
    const set = gitConfigValue(textOf(file) ?? "", "excludesFile");
    if (set) return resolve(homedir(), set.replace(/^~\//, ""));
  }
  return join(config, "git/ignore");
}

/** Undefined if the path is not a readable file. Most do not exist: `stat` costs a fifth of a failing read. */
function textOf(file: string): string | undefined {
  const found = statOf(file);
  if (found?.isFile() !== true || found.size > MAX_FILE_BYTES) return undefined;
  return lookAt(() => readFileSync(file, "utf8").replace(/^\ufeff/, ""));
}

const posix = (path: string) => path.replaceAll(sep, "/");

const ATTRIBUTE = /(?:^|\s)([-!]?)linguist-(?:generated|vendored)(?:=(\S+))?(?=\s|$)/g;

/**
 * Generated and vendored files by the linguist attributes of .gitattributes. The last matching line decides. Paths are relative
 * to the folder of the file.
 */
function compileAttributes(lines: readonly string[]): (path: string) => IgnorePattern | undefined {
  const parsed = parseAttributes(lines, (attributes) => statesIn(attributes).length > 0)
    .map(({ number, text, attributes, matches }) => {
      const isNegated = !statesIn(attributes).includes(true);
      return { pattern: { line: number, text, isNegated }, matches };
    })
    .toReversed();
  return (path) => parsed.find(({ matches }) => matches(path))?.pattern;
}

function statesIn(attributes: string): boolean[] {
  return [...attributes.matchAll(ATTRIBUTE)].map(
    ([, sign, value = "true"]) => sign === "" && value !== "false",
  );
}
