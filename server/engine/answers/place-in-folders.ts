/** Finds the opened folders that a path, or the patterns of a request, name. */

import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { BadRequest } from "../../common/errors.ts";
import { inOtherWorktree, otherWorktree } from "../../common/other-worktree.ts";
import { isInside } from "../../common/path-inside.ts";
import { lookAt } from "../../common/read-file-sync.ts";
import type { SearchAnswer } from "../../contracts/session.ts";
import { isWorktreeRule } from "../../indexing/ignore/nested-worktrees.ts";
import { noFileProblem } from "../indexes/index-explain.ts";
import { Folder } from "./folder.ts";
import type { SearchTargets } from "./search-targets.ts";

interface PlaceInFolder {
  readonly folder: Folder;
  /** The path in the index of the folder. */
  readonly inside: string;
}

/** The folder that contains the file: the innermost, because a worktree may lie in another opened folder. */
export function openFolderOf(path: string, folders: readonly Folder[]): PlaceInFolder | undefined {
  const folder = enclosing(path, folders);
  const inside = folder?.inside(path);
  return folder === undefined || inside === undefined ? undefined : { folder, inside };
}

/** Throws BadRequest for a path outside the folders, or in a worktree that is not open. `shown` is the path as it was given. */
export function placeOf(path: string, folders: readonly Folder[], shown = path): PlaceInFolder {
  if (path.includes("\0")) throw new BadRequest("no path has a null byte; leave it out");
  const found = openFolderOf(path, folders);
  refuseOtherWorktree(path, folders, { shown });
  if (found === undefined) throw noFileProblem(shown, folders, path);
  return found;
}

interface Narrowed {
  readonly folders: readonly Folder[];
  /** The patterns, relative to their folders. */
  readonly paths: { readonly paths?: string[] };
}

/**
 * Absolute patterns become relative to their folder, and only such folders are searched if all patterns are absolute.
 * Throws BadRequest for a pattern in a worktree that is not open, and for an absolute one outside the folders.
 */
export function narrowTo(
  patterns: readonly string[] | undefined,
  folders: readonly Folder[],
): Narrowed {
  if (patterns === undefined || folders.length === 0) {
    return { folders, paths: patterns === undefined ? {} : { paths: [...patterns] } };
  }
  const placed = patterns.map((pattern) => placePattern(pattern, folders));
  const wanted = placed.filter(({ isWanted }) => isWanted);
  const isOne = wanted.length > 0 && wanted.every(({ folder }) => folder !== undefined);
  const named = new Set(wanted.map(({ folder }) => folder));
  return {
    folders: isOne ? folders.filter((folder) => named.has(folder)) : folders,
    paths: { paths: placed.map(({ pattern }) => pattern) },
  };
}

interface PlacedPattern {
  readonly pattern: string;
  /** False for a pattern that excludes files. */
  readonly isWanted: boolean;
  /** The folder that an absolute pattern names. */
  readonly folder?: Folder;
}

function placePattern(written: string, folders: readonly Folder[]): PlacedPattern {
  const isWanted = !written.startsWith("!");
  const pattern = isWanted ? written : written.slice(1);
  const head = plainHead(pattern);
  const asWritten = { pattern: written, isWanted };
  const named = { shown: pattern, parameter: "paths" };
  // As in .gitignore, a leading slash may also mean the root of a folder.
  const isOfFolder = folders.some(({ root }) => existsSync(join(root, head)));
  if (!isAbsolute(pattern) || head === "/" || (isOfFolder && !isNamed(head, folders))) {
    if (!isWanted) return asWritten;
    for (const { root } of folders) refuseOtherWorktree(join(root, head), folders, named);
    return asWritten;
  }
  const real = realPathOf(head);
  const folder = enclosing(real, folders);
  refuseOtherWorktree(real, folders, named);
  if (folder === undefined) {
    if (!existsSync(real)) return asWritten;
    throw new BadRequest(`${pattern} is outside the opened folders`, { parameter: "paths" });
  }
  const inside = relative(folder.root, real).replaceAll(sep, "/");
  const rest = `${inside}${pattern.slice(head.length)}`.replace(/^\/+/, "");
  return { pattern: `${isWanted ? "" : "!"}${rest === "" ? "." : rest}`, isWanted, folder };
}

/** The part of a pattern before the first segment with a wildcard, without a slash at its end. */
function plainHead(pattern: string): string {
  const wildcard = pattern.search(/[*?[{]/);
  const plain =
    wildcard === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf("/", wildcard) + 1);
  return plain.length > 1 ? plain.replace(/\/+$/, "") : plain;
}

const isNamed = (head: string, folders: readonly Folder[]) =>
  enclosing(realPathOf(head), folders) !== undefined;

/** The innermost folder that is or contains the path. */
function enclosing(path: string, folders: readonly Folder[]): Folder | undefined {
  const around = folders.filter(({ root }) => path === root || path.startsWith(`${root}${sep}`));
  return around.toSorted((a, b) => b.root.length - a.root.length)[0];
}

interface Named {
  /** The path as it was given. */
  readonly shown: string;
  readonly parameter?: string;
}

/** Throws BadRequest for a path in another worktree than all open folders of its repository. */
function refuseOtherWorktree(
  path: string,
  folders: readonly Folder[],
  { shown, parameter }: Named,
): void {
  const tops = folders.map(({ root, index }) =>
    index.settings["indexing.nestedWorktrees"] ? undefined : otherWorktree(root, path),
  );
  const [top] = tops;
  if (top === undefined || tops.includes(undefined)) return;
  throw new BadRequest(inOtherWorktree(shown, top), { parameter });
}

/** How many worktrees a remark names. */
const MAX_NAMED = 3;

/** Adds to an empty answer the worktrees below its folders, which are not searched. */
export function withWorktreeRemark<A extends Pick<SearchAnswer, "hits" | "warnings">>(
  { indexes }: Pick<SearchTargets, "indexes">,
  answer: A,
): A {
  if (answer.hits.length > 0) return answer;
  const folders = indexes.filter((target) => target instanceof Folder);
  const open = new Set(folders.map(({ root }) => root));
  const closed = folders.flatMap(({ root, index }) =>
    [...index.excluded.values()].flatMap(({ path, rule }) => {
      const folder = join(index.root, path);
      return isWorktreeRule(rule) && isInside(root, folder) && !open.has(folder) ? [folder] : [];
    }),
  );
  if (closed.length === 0) return answer;
  const more = closed.length - MAX_NAMED;
  const named = closed.slice(0, MAX_NAMED).join(", ");
  const remark = `worktrees below were not searched, because each has an index of its own: ${named}${more > 0 ? ` and ${more} more` : ""}`;
  return { ...answer, warnings: [...answer.warnings, remark] };
}

/** The path itself if it does not exist. */
function realPathOf(path: string): string {
  return lookAt(() => realpathSync(path)) ?? path;
}
