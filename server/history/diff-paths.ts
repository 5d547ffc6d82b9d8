/** Which files a unified diff changes: one of git, or of `diff -u`. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../common/path-inside.ts";
import { unquotePath } from "./quoted-path.ts";

const GIT_HEADER = /^diff --(?:git|cc|combined) (.+)$/;
const MOVED = /^(?:rename|copy) (?:from|to) (.+)$/;
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const NO_FILE = "/dev/null";

/** Each path once, as the diff names it, without `a/` and `b/`; of a renamed file both. */
export function pathsOfDiff(diff: string): string[] {
  const lines = diff.split(/\r?\n/);
  const paths = lines.some((line) => GIT_HEADER.test(line)) ? gitPaths(lines) : plainPaths(lines);
  return [...new Set(paths)];
}

/** Only lines between the header of a file and its first hunk: a message may say anything. */
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

/** `a/x b/x`; of a renamed file nothing, because other lines say it without doubt. */
function headerPaths(names: string): string[] {
  const middle = names.length >> 1;
  if (names[middle] !== " ") return [];
  return samePath(unquotePath(names.slice(0, middle)), unquotePath(names.slice(middle + 1)));
}

/** The path that two names have in common: without their first folders, where those differ. */
function samePath(before: string, after: string): string[] {
  if (before === after) return [before];
  const [old, now] = [before, after].map((name) => name.slice(name.indexOf("/") + 1));
  return old === now && old !== undefined ? [old] : [];
}

/** Hunks are skipped by their length: a removed line may look like a header. */
function plainPaths(lines: readonly string[]): string[] {
  const paths: string[] = [];
  let [old, now] = [0, 0];
  lines.forEach((line, i) => {
    if (old > 0 || now > 0) {
      if (!line.startsWith("+") && !line.startsWith("\\")) old--;
      if (!line.startsWith("-") && !line.startsWith("\\")) now--;
      return;
    }
    const hunk = HUNK.exec(line);
    if (hunk !== null) [old, now] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
    const next = lines[i + 1] ?? "";
    if (!line.startsWith("--- ") || !next.startsWith("+++ ")) return;
    const [before, after] = [nameOf(line), nameOf(next)];
    const names = [before, after].filter((name) => name !== NO_FILE);
    const [same] = samePath(before, after);
    paths.push(...(same === undefined ? names.map((name) => name.replace(/^[ab]\//, "")) : [same]));
  });
  return paths;
}

/** What follows a tab is a time. */
function nameOf(line: string): string {
  return unquotePath(line.slice(4).split("\t", 1)[0] ?? "");
}

/** Paths of a diff as they are on disk: they count from the top of the repository, which may be above the root. */
export function locateDiffPaths(root: string, paths: readonly string[]): string[] {
  const top = repositoryOf(root);
  const located = paths.map((path) => {
    const [whole, near] = [join(top, path), join(root, path)];
    return !existsSync(whole) && existsSync(near) ? near : whole;
  });
  return located.filter((path) => isInside(root, path));
}

function repositoryOf(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return root;
  }
}
