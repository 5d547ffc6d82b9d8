/** In which order a first index reads its files: what was changed lately, then a part of every folder, then the rest. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { forEachLimited } from "./concurrency.ts";

/** Somebody who has just edited files asks about them first. */
const MAX_RECENT_FILES = 100;
/** Files that a clone or a checkout wrote together differ by less than this from most others. */
const RECENT_AFTER_MS = 600_000;
const STATS_AT_ONCE = 32;
/** Asking when each file was written takes 8 µs per file: longer trees are read without. */
const MAX_STATS = 20_000;

/** The same paths. A search during the first pass then finds something of every part of the repository. */
export async function readingOrder(
  root: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const recent = paths.length > MAX_STATS ? [] : await recentlyWritten(root, paths, signal);
  return [...new Set([...recent, ...breadthFirst(paths)])];
}

/** The first file of each folder, outer folders first, then the second of each, and so on. */
export function breadthFirst(paths: readonly string[]): string[] {
  const folders = new Map<string, number>();
  const ranked = paths.map((path) => {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const turn = folders.get(folder) ?? 0;
    folders.set(folder, turn + 1);
    return { path, turn, depth: path.split("/").length };
  });
  return ranked.toSorted((a, b) => a.turn - b.turn || a.depth - b.depth).map(({ path }) => path);
}

/** Newest first: those that were written well after most others. */
async function recentlyWritten(
  root: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const written: { readonly path: string; readonly at: number }[] = [];
  await forEachLimited(paths, STATS_AT_ONCE, async (path) => {
    signal.throwIfAborted();
    const at = await writtenAt(join(root, path));
    if (at !== undefined) written.push({ path, at });
  });
  written.sort((a, b) => b.at - a.at);
  const median = written[Math.floor(written.length / 2)]?.at ?? 0;
  return written
    .filter(({ at }) => at > median + RECENT_AFTER_MS)
    .slice(0, MAX_RECENT_FILES)
    .map(({ path }) => path);
}

/** Undefined for what cannot be looked at: reading it says why. */
async function writtenAt(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
