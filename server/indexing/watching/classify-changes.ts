/** Splits paths that may have changed into files to index and files that are gone. */

import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isForbidden, isMissing } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { pathInside } from "../../common/path-inside.ts";
import { discover, ruleAgainstTarget } from "../discovery/discover.ts";
import type { IgnoreRules, PathKind } from "../ignore/ignore-rules.ts";
import type { StoredFiles } from "../stored-files.ts";

export interface ChangeFilter {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly stored: StoredFiles;
  readonly log: Log;
}

interface Classified {
  readonly present: Set<string>;
  readonly gone: Set<string>;
  /** What is below them now is known. */
  readonly known: Set<string>;
  /** Links, or paths through links, of which only a walk of the whole tree knows whether it enters them. */
  readonly links: Set<string>;
}

/** Splits changed paths into files to index and stored paths that hold no such file any more. */
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
    const place = await placeOf(root, path);
    if (place.real === path) await classify(path, place.kind, filter, found);
    else await classifyLinked(path, place, filter, found);
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

/** A path that is a link or goes through one. What is indexed under its own name is indexed under no other. */
async function classifyLinked(
  path: string,
  { kind, real }: Place,
  filter: ChangeFilter,
  found: Classified,
): Promise<void> {
  const { rules, stored, log } = filter;
  const { present, known, links } = found;
  known.add(path);
  if (real === undefined) {
    log.debug("a changed path leads out of the workspace, or to the whole of it");
    return;
  }
  if (kind === undefined || (kind === "file" && rules.decide(real, "file") === undefined)) {
    await classify(real, kind, filter, found);
  } else if (kind !== "other" && rules.decide(path, kind) === undefined) {
    if (ruleAgainstTarget(rules, real, kind) !== undefined) return;
    // The walk that found it first has chosen it among the links to the same file.
    if (kind === "file" && stored.has(path)) present.add(path);
    else links.add(path);
  }
}

/** Of several links to the same target, a walk enters the first: which one that is depends on the whole tree. */
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
 * Whether one of the folders around it changed: it is gone, a file now, or another folder, perhaps without this file. A
 * change inside of a folder names what changed there, and not the folder.
 */
function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    if (folders.has(path.slice(0, at))) return true;
  }
  return false;
}

/** Undefined when nothing is there. */
type Kind = PathKind | "other" | undefined;

interface Place {
  readonly kind: Kind;
  /** Relative to the root; another path where a link is on the way, and undefined where that leads out of the root. */
  readonly real: string | undefined;
}

/** What a path leads to. Clients name what they like. */
async function placeOf(root: string, path: string): Promise<Place> {
  try {
    const real = await realpath(join(root, path));
    const found = await stat(real);
    const kind = found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
    return { kind, real: pathInside(root, real) };
  } catch (error) {
    if (!isNowhere(error)) throw error;
    return { kind: undefined, real: await realPathOfAbsent(root, path) };
  }
}

/** Where nothing is, or a link that leads nowhere: its folder may be another one than it says. */
async function realPathOfAbsent(root: string, path: string): Promise<string | undefined> {
  const absolute = join(root, path);
  try {
    return pathInside(root, join(await realpath(dirname(absolute)), basename(absolute)));
  } catch (error) {
    if (isNowhere(error)) return path;
    throw error;
  }
}

/** Nothing is there, or nothing that this user may read. */
function isNowhere(error: unknown): boolean {
  return isMissing(error) || isForbidden(error);
}
