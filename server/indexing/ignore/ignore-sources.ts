/** Where ignore rules come from: the user's global file, the repository around a workspace, and files in its folders. */

import { lstatSync, readFileSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isMissingOrForbidden } from "../../common/errors.ts";
import { gitConfigValue } from "../../common/git-config.ts";
import { followGitFile } from "../../common/git-pointer.ts";
import { ATTRIBUTES_FILE } from "./git-attributes.ts";
import { compilePatterns, type FindPattern } from "./ignore-patterns.ts";
import { compileAttributes } from "./linguist.ts";

/** Some lines in the form of .gitignore, and how they are called in a rule. */
export interface Source {
  readonly name: string;
  /** Put before a path that is relative to the root, where the lines count from a folder above it. */
  readonly prefix: string;
  readonly find: FindPattern;
}

/** In each folder, later ones win. */
export const IGNORE_FILES = [".gitignore", ".ignore", ".cocosearchignore"] as const;

export function sourceOf(name: string, lines: readonly string[], prefix = ""): Source {
  return { name, prefix, find: compilePatterns(lines) };
}

/** Weakest first: the user's global file, the repository's own, then the folders from its top down to above the root. */
export function sourcesAround(root: string): Source[] {
  const top = repositoryOf(root);
  const prefix = top === undefined || top === root ? "" : `${posix(relative(top, root))}/`;
  const around = sourcesFrom(globalExcludes(), "global excludes", prefix);
  if (top === undefined) return around;
  const own = join(gitFolder(top), "info/exclude");
  around.push(...sourcesFrom(own, ".git/info/exclude", prefix));
  for (const folder of foldersBetween(top, root)) {
    around.push(...sourcesIn(root, folder, `${posix(relative(folder, root))}/`));
  }
  return around;
}

/** The folders of these files, but for the user's global one, and how the files are called. */
export function ruleFoldersAround(
  root: string,
): { readonly folder: string; readonly names: readonly string[] }[] {
  const top = repositoryOf(root);
  if (top === undefined) return [];
  const above = foldersBetween(top, root).map((folder) => ({ folder, names: IGNORE_FILES }));
  return [{ folder: join(gitFolder(top), "info"), names: ["exclude"] }, ...above];
}

/** From the top of a repository down to above the root. */
function foldersBetween(top: string, root: string): string[] {
  const folders: string[] = [];
  for (let at = root; at !== top; ) folders.unshift((at = dirname(at)));
  return folders;
}

/** Those of the folder's ignore files that are there. */
export function sourcesIn(root: string, folder: string, prefix = ""): Source[] {
  return IGNORE_FILES.flatMap((name) => {
    const file = join(folder, name);
    return isThere(file) ? sourcesFrom(file, posix(relative(root, file)), prefix) : [];
  });
}

/** The folder's .gitattributes, where it says something of files that are not to be indexed. */
export function attributesIn(root: string, folder: string): Source[] {
  const file = join(folder, ATTRIBUTES_FILE);
  const text = isThere(file) ? textOf(file) : undefined;
  if (text === undefined || !text.includes("linguist-")) return [];
  const find = compileAttributes(text.split("\n"));
  return [{ name: posix(relative(root, file)), prefix: "", find }];
}

/** Links to such files are not followed, as in git: they may lead out of the repository. Most folders have none. */
function isThere(file: string): boolean {
  return lookAt(() => lstatSync(file, { throwIfNoEntry: false }))?.isSymbolicLink() === false;
}

/** The largest that are generated have some ten thousand lines. */
const MAX_FILE_BYTES = 10_000_000;

function sourcesFrom(file: string, name: string, prefix: string): Source[] {
  if (isTooLarge(file)) return [everything(name, prefix)];
  const text = textOf(file);
  return text === undefined ? [] : [sourceOf(name, text.split("\n"), prefix)];
}

/** Rules that are not read must not let anything through. */
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

function statOf(path: string): Stats | undefined {
  return lookAt(() => statSync(path, { throwIfNoEntry: false }));
}

/**
 * Undefined also for what cannot be looked at: a path through a file, such as the .git of a worktree whose repository is
 * gone, a folder that is not the user's, a link to itself.
 */
function lookAt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissingOrForbidden(error)) return undefined;
    throw error;
  }
}

/** The nearest folder, from this one up, that is the top of a repository or of a worktree. */
function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (statOf(join(at, ".git")) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** Where the repository keeps what its worktrees share. */
function gitFolder(top: string): string {
  const dot = join(top, ".git");
  const own = followGitFile(dot);
  if (own === undefined) return dot;
  return resolve(own, textOf(join(own, "commondir"))?.trim() ?? ".");
}

/** core.excludesFile of the user's own git configuration, else git's default place for it. */
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

/** Undefined for what is no file or may not be read. Many are not there: asking first costs a fifth of failing. */
function textOf(file: string): string | undefined {
  const found = statOf(file);
  if (found?.isFile() !== true || found.size > MAX_FILE_BYTES) return undefined;
  return lookAt(() => readFileSync(file, "utf8").replace(/^\ufeff/, ""));
}

const posix = (path: string) => path.replaceAll(sep, "/");
