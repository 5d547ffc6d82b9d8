/** The reading order of a first index: recently modified files, then files of every folder in turn. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { trySystemCall } from "../common/errors.ts";
import { forEachLimited } from "./concurrency.ts";

/** Users who have just edited files ask about them first. */
const MAX_RECENT_FILES = 100;
/** A file counts as recent if it is this much newer than the median; files of one checkout are closer together. */
const RECENT_AFTER_MS = 600_000;
const STATS_AT_ONCE = 32;
/** `stat` takes 8 µs per file; larger trees skip the check for recent files. */
const MAX_STATS = 20_000;

/** Returns the same paths ordered so that searches during the first pass find something in every folder. */
export async function readingOrder(
  root: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const recent = paths.length > MAX_STATS ? [] : await recentlyWritten(root, paths, signal);
  return [...new Set([...recent, ...breadthFirst(paths)])];
}

/** Round-robin over folders: the first file of each folder, outer folders first, then the second of each. */
export function breadthFirst(paths: readonly string[]): string[] {
  const folders = new Map<string, number>();
  const ranked = paths.map((path) => {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const round = folders.get(folder) ?? 0;
    folders.set(folder, round + 1);
    return { path, round, depth: path.split("/").length };
  });
  return ranked.toSorted((a, b) => a.round - b.round || a.depth - b.depth).map(({ path }) => path);
}

/** Files modified well after the median, newest first. */
async function recentlyWritten(
  root: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const dated: { readonly path: string; readonly at: number }[] = [];
  await forEachLimited(paths, STATS_AT_ONCE, async (path) => {
    signal.throwIfAborted();
    const at = await modifiedAt(join(root, path));
    if (at !== undefined) dated.push({ path, at });
  });
  dated.sort((a, b) => b.at - a.at);
  const median = dated[Math.floor(dated.length / 2)]?.at ?? 0;
  return dated
    .filter(({ at }) => at > median + RECENT_AFTER_MS)
    .slice(0, MAX_RECENT_FILES)
    .map(({ path }) => path);
}

/** Undefined if `stat` fails; reading the file then reports the error. */
async function modifiedAt(file: string): Promise<number | undefined> {
  return (await trySystemCall(() => stat(file)))?.mtimeMs;
}
