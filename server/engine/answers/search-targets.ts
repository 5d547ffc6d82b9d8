/** Chooses the indexes that a search covers: the opened folders or the named indexes, and the indexes linked from them. */

import { existsSync } from "node:fs";
import { BadRequest, Unavailable } from "../../common/errors.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { IndexPool } from "../indexes/index-pool.ts";
import { OpenIndex } from "../indexes/open-index.ts";
import type { StoredIndex } from "../indexes/stored-indexes.ts";
import { whenOpen } from "../indexes/when-open.ts";
import type { Buffers } from "./buffers.ts";
import { Folder } from "./folder.ts";

export interface SearchTargets {
  readonly indexes: readonly (Folder | StoredIndex)[];
  readonly settings: Settings;
  /** The unsaved buffers of the client. */
  readonly buffers: Buffers;
}

export interface FoundTargets {
  readonly targets: SearchTargets;
  /** A sentence for each index that is not searched. */
  readonly warnings: readonly string[];
}

export interface TargetsRequest {
  /** The opened folders, in the client's order. */
  readonly folders: readonly Folder[];
  /** Names of indexes to search instead of the folders, if any. */
  readonly indexes: readonly string[] | undefined;
  /** The user's settings, for a session without folders. */
  readonly settings: Settings;
  readonly buffers: Buffers;
  readonly signal: AbortSignal | undefined;
}

/** Excludes indexes that cannot be searched, with a warning. BadRequest if none of the requested names exists. */
export async function findTargets(
  pool: Pick<IndexPool, "named">,
  { folders, indexes: names, settings: fallback, buffers, signal }: TargetsRequest,
): Promise<FoundTargets> {
  const settings = folders[0]?.index.settings ?? fallback;
  const warnings: string[] = [];
  const open = new Set<OpenIndex>(folders.map(({ index }) => index));
  if (names === undefined) await whenOpen([...open], signal);
  const own = names === undefined ? searchableFolders(folders, warnings) : [];
  const linked = [...open].flatMap(({ settings: { linkedIndexes } }) => linkedIndexes);
  const others: (Folder | StoredIndex)[] = [];
  const searched = new Set<unknown>(names === undefined ? open : []);
  const wanted = new Set(names ?? linked);
  const unknown: string[] = [];
  for (const name of wanted) {
    try {
      const found = await pool.named(name, settings);
      if (found instanceof OpenIndex) await whenOpen([found], signal);
      if (found === undefined) unknown.push(`no index is named "${name}"`);
      else if (!searched.has(found)) {
        others.push(asTarget(found));
        warnings.push(...foreignWarning(found));
      }
      searched.add(found);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      warnings.push(`index "${name}" was not searched: ${error.message}`);
    }
  }
  // A misspelled name must not look like an index without matches.
  if (names !== undefined && unknown.length === wanted.size)
    throw new BadRequest(unknown.join("; "), { parameter: "indexes" });
  warnings.push(...unknown);
  return { targets: { indexes: [...own, ...others], settings, buffers }, warnings };
}

/** Drops folders inside other folders, whose hits would appear twice. */
function searchableFolders(folders: readonly Folder[], warnings: string[]): Folder[] {
  const widest = folders.filter((folder) => !folders.some((other) => folder.isWithin(other)));
  return widest.filter(({ root, index }) => {
    const { state, reason = state, total } = index.workspace.status;
    if (index.isOpening) {
      warnings.push(`${root} is still being opened and was not searched; search again in a moment`);
      return true;
    }
    // Zero hits would look like an answer.
    if (state === "paused" && total === 0) warnings.push(`${root} is not indexed: ${reason}`);
    if (index.lanes !== undefined || state !== "unavailable") return true;
    warnings.push(`${root} cannot be searched: ${reason}`);
    return false;
  });
}

/** A foreign index whose root exists here: its hits look like places in local files. */
function foreignWarning(found: OpenIndex | StoredIndex): string[] {
  if (found instanceof OpenIndex || !found.isForeign || !existsSync(found.root)) return [];
  return [
    `index "${found.name}" belongs to another installation; its content of ${found.root} may differ from the local files`,
  ];
}

function asTarget(found: OpenIndex | StoredIndex): Folder | StoredIndex {
  return found instanceof OpenIndex ? new Folder(found.root, found) : found;
}
