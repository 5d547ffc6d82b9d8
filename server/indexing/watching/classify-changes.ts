/** Classifies changed paths: files to index, and stored files that are gone. */

import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isForbidden, isMissing } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { pathInside } from "../../common/path-inside.ts";
import { discover, linkExclusionRule } from "../discovery/discover.ts";
import type { IgnoreRules, PathKind } from "../ignore/ignore-rules.ts";
import type { StoredFiles } from "../stored-files.ts";

interface ChangeFilter {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly stored: StoredFiles;
  readonly log: Log;
}

interface Classified {
  readonly present: Set<string>;
  readonly gone: Set<string>;
  /** Paths whose content is fully listed in `present`. */
  readonly known: Set<string>;
  /** Links and paths through links; only a walk of the whole tree decides whether they are followed. */
  readonly links: Set<string>;
}

/** `present` are files to index, `gone` stored paths that no longer hold a file to index. */
export async function classifyChanges(
  changed: ReadonlySet<string>,
  filter: ChangeFilter,
): Promise<{ present: string[]; gone: string[] }> {
  const { root, stored } = filter;
  const found = {
    present: new Set<string>(),
    gone: new Set<string>(),
    known: new Set<string>(),
    links: new Set<string>(),
  };
  for (const path of changed) {
    const target = await targetOf(root, path);
    if (target.real === path) await classify(path, target.kind, filter, found);
    else await classifyLinked(path, target, filter, found);
  }
  const { present, gone, known, links } = found;
  for (const path of stored.paths()) if (known.has(path) || isBelow(path, known)) gone.add(path);
  if (links.size > 0) await classifyByWalk(filter, found);
  for (const path of present) gone.delete(path);
  return { present: [...present], gone: [...gone] };
}

async function classify(
  path: string,
  kind: Kind,
  { root, rules }: ChangeFilter,
  { present, known, links }: Classified,
): Promise<void> {
  known.add(path);
  if (kind === "file" && rules.decide(path, "file") === undefined) present.add(path);
  if (kind !== "folder") return;
  const followed = (link: string) => links.add(link);
  for await (const each of discover(root, rules, { under: path, followed })) present.add(each.path);
}

/** Classifies a path that is a link or leads through one. A target that is indexed at its own path is not indexed again. */
async function classifyLinked(
  path: string,
  { kind, real }: Target,
  filter: ChangeFilter,
  found: Classified,
): Promise<void> {
  const { rules, stored, log } = filter;
  const { present, known, links } = found;
  known.add(path);
  if (real === undefined) {
    log.debug("a changed path leads out of the workspace or to its root");
    return;
  }
  if (kind === undefined || (kind === "file" && rules.decide(real, "file") === undefined)) {
    await classify(real, kind, filter, found);
  } else if (kind !== "other" && rules.decide(path, kind) === undefined) {
    if (linkExclusionRule(rules, real, kind) !== undefined) return;
    // The walk chose this link among all links to the file.
    if (kind === "file" && stored.has(path)) present.add(path);
    else links.add(path);
  }
}

/** A walk follows only the first of several links to one target, so links need a walk of the whole tree. */
async function classifyByWalk(
  { root, rules, stored }: ChangeFilter,
  { present, gone, links }: Classified,
): Promise<void> {
  const found = new Set<string>();
  const unread = new Set<string>();
  const unreadable = (folder: string) => unread.add(folder);
  for await (const { path } of discover(root, rules, { unreadable })) found.add(path);
  for (const path of found) if (links.has(path) || isBelow(path, links)) present.add(path);
  const isGone = (path: string) => !found.has(path) && !isBelow(path, unread);
  for (const path of present) if (isGone(path)) present.delete(path);
  for (const path of stored.paths()) if (isGone(path)) gone.add(path);
}

/**
 * Whether an ancestor of the path changed, so that the folder was deleted or replaced. A change inside a folder names the
 * changed entry, not the folder.
 */
function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    if (folders.has(path.slice(0, at))) return true;
  }
  return false;
}

/** Undefined if the path does not exist. */
type Kind = PathKind | "other" | undefined;

interface Target {
  readonly kind: Kind;
  /** The real path relative to the root; undefined outside the root. */
  readonly real: string | undefined;
}

/** Resolves a path, which clients may choose freely. */
async function targetOf(root: string, path: string): Promise<Target> {
  try {
    const real = await realpath(join(root, path));
    const found = await stat(real);
    const kind = found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
    return { kind, real: pathInside(root, real) };
  } catch (error) {
    if (!isInaccessible(error)) throw error;
    return { kind: undefined, real: await realPathOfAbsent(root, path) };
  }
}

/** The real path of a missing file or broken link; its folder may be a link, too. */
async function realPathOfAbsent(root: string, path: string): Promise<string | undefined> {
  const absolute = join(root, path);
  try {
    return pathInside(root, join(await realpath(dirname(absolute)), basename(absolute)));
  } catch (error) {
    if (isInaccessible(error)) return path;
    throw error;
  }
}

/** Whether the path does not exist or this user may not read it. */
function isInaccessible(error: unknown): boolean {
  return isMissing(error) || isForbidden(error);
}
