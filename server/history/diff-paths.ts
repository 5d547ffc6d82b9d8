/** Lists the files that a unified diff changes, as printed by git or `diff -u`. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { topOfRepository } from "../common/git-pointer.ts";
import { isInside } from "../common/path-inside.ts";
import { DiffLineReader } from "./diff-line-reader.ts";
import { unquotePath } from "./quoted-path.ts";

const GIT_HEADER = /^diff --(?:git|cc|combined) (.+)$/;
const MOVED = /^(?:rename|copy) (?:from|to) (.+)$/;
const NO_FILE = "/dev/null";

/** Paths without duplicates and without `a/` and `b/`; for a renamed file both. */
export function pathsOfDiff(diff: string): string[] {
  const lines = diff.split(/\r?\n/);
  const paths = lines.some((line) => GIT_HEADER.test(line)) ? gitPaths(lines) : plainPaths(lines);
  return [...new Set(paths)];
}

/** Reads only lines between the header of a file and its first hunk, because a commit message may contain any line. */
function gitPaths(lines: readonly string[]): string[] {
  let isHeader = false;
  return lines.flatMap((line) => {
    const [, names] = GIT_HEADER.exec(line) ?? [];
    if (names !== undefined) {
      isHeader = true;
      return line.startsWith("diff --git ") ? headerPaths(names) : [unquotePath(names)];
    }
    if (line.startsWith("@@")) isHeader = false;
    const [, moved] = (isHeader && MOVED.exec(line)) || [];
    return moved === undefined ? [] : [unquotePath(moved)];
  });
}

/** The path in `a/x b/x`. For a renamed file none, because its `rename` lines are unambiguous. */
function headerPaths(names: string): string[] {
  const middle = names.length >> 1;
  if (names[middle] !== " ") return [];
  return samePath(unquotePath(names.slice(0, middle)), unquotePath(names.slice(middle + 1)));
}

/** The path that two names share, ignoring their first folders if those differ. */
function samePath(before: string, after: string): string[] {
  if (before === after) return [before];
  const [old, now] = [before, after].map((name) => name.slice(name.indexOf("/") + 1));
  return old === now && old !== undefined ? [old] : [];
}

/** Reads the pairs of lines `--- before` and `+++ after`. */
function plainPaths(lines: readonly string[]): string[] {
  const reader = new DiffLineReader();
  const paths: string[] = [];
  let oldPathLine: string | undefined;
  for (const line of lines) {
    const kind = reader.read(line);
    if (kind === "newPath" && oldPathLine !== undefined)
      paths.push(...changedPaths(nameOf(oldPathLine), nameOf(line)));
    oldPathLine = kind === "oldPath" ? line : undefined;
  }
  return paths;
}

function changedPaths(before: string, after: string): string[] {
  const [same] = samePath(before, after);
  if (same !== undefined) return [same];
  const names = [before, after].filter((name) => name !== NO_FILE);
  return names.map((name) => name.replace(/^[ab]\//, ""));
}

/** The path in `--- path<TAB>time`. */
function nameOf(line: string): string {
  return unquotePath(line.slice(4).split("\t", 1)[0] ?? "");
}

/** The absolute paths of files in a diff that are inside `root`. Paths are relative to the repository, or else to the root. */
export function locateDiffPaths(root: string, paths: readonly string[]): string[] {
  const top = topOfRepository(root) ?? root;
  const located = paths.map((path) => {
    const [whole, near] = [join(top, path), join(root, path)];
    return !existsSync(whole) && existsSync(near) ? near : whole;
  });
  return located.filter((path) => isInside(root, path));
}
