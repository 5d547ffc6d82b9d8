/** Chooses the indexes that a search covers: the opened folders or the named indexes, and the indexes linked from them. */

import { existsSync } from "node:fs";
import { BadRequest, Unavailable } from "../../common/errors.ts";
import { ALL_PUBLISHED } from "../../contracts/published.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { PublishedTargets } from "../indexes/choose-published.ts";
import type { IndexPool } from "../indexes/index-pool.ts";
import { OpenIndex } from "../indexes/open-index.ts";
import type { StoredIndex } from "../indexes/stored-indexes.ts";
import { whenOpen } from "../indexes/when-open.ts";
import type { Buffers } from "./buffers.ts";
import { Folder } from "./folder.ts";

export interface SearchTargets {
  readonly indexes: readonly (Folder | StoredIndex)[];
  /** The files of a published index that no opened folder has, too. Without an entry, all of its files are searched. */
  readonly only: ReadonlyMap<StoredIndex, ReadonlySet<string>>;
  /** Why the text of a published index could not be read, by its root; the search adds to it. */
  readonly failures: Map<string, string>;
  /** Files of published indexes that another publish has replaced since, as `root/path`; the search adds to it. */
  readonly replaced: Set<string>;
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
  /** Names of indexes to search instead of the folders, if any; `*` adds all published indexes to the folders. */
  readonly indexes: readonly string[] | undefined;
  /** Whether published indexes can answer the request. */
  readonly withPublished: boolean;
  /** The user's settings, for a session without folders. */
  readonly settings: Settings;
  readonly buffers: Buffers;
  readonly signal: AbortSignal | undefined;
}

/** Whether a request can be answered from published indexes, whose files are not here. */
export const WITH_PUBLISHED = { withPublished: true };
export const LOCAL = { withPublished: false };

/** Excludes indexes that cannot be searched, with a warning. BadRequest if none of the requested names exists. */
export async function findTargets(
  pool: Pick<IndexPool, "named" | "publishedOf">,
  { folders, indexes: names, withPublished, settings: fallback, buffers, signal }: TargetsRequest,
): Promise<FoundTargets> {
  const settings = folders[0]?.index.settings ?? fallback;
  const warnings: string[] = [];
  const open = new Set<OpenIndex>(folders.map(({ index }) => index));
  const isAll = withPublished && names?.includes(ALL_PUBLISHED) === true;
  const isOwn = names === undefined || isAll;
  if (isOwn) await whenOpen([...open], signal);
  const own = isOwn ? searchableFolders(folders, warnings) : [];
  const linked = [...open].flatMap(({ settings: { linkedIndexes } }) => linkedIndexes);
  const others: (Folder | StoredIndex)[] = [];
  const searched = new Set<unknown>(isOwn ? open : []);
  const wanted = new Set(isAll ? [...names, ...linked] : (names ?? linked));
  const unnamed: string[] = [];
  for (const name of wanted) {
    if (isPublishedName(name, { isAll, settings })) {
      unnamed.push(name);
      continue;
    }
    try {
      const found = await pool.named(name, settings);
      if (found instanceof OpenIndex) await whenOpen([found], signal);
      if (found === undefined) unnamed.push(name);
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
  const asked = withPublished ? unnamed.filter((name) => names?.includes(name)) : [];
  const published = await pool.publishedOf({
    names: asked,
    settings,
    open: isOwn ? [...open] : [],
    isAlone: !isOwn && wanted.size === 1,
    signal,
  });
  const unknown = [...unnamed.filter((name) => !asked.includes(name)), ...published.unknown].map(
    (name) => `no index is named "${name}"`,
  );
  warnings.push(...published.warnings);
  others.push(...published.targets.map(({ index }) => index));
  if (own.length + others.length === 0 && published.warnings[0] !== undefined)
    throw new Unavailable(published.warnings[0], "search again later");
  // A misspelled name must not look like an index without matches.
  if (names !== undefined && unknown.length === wanted.size)
    throw new BadRequest(unknown.join("; "), { parameter: "indexes" });
  warnings.push(...unknown);
  const indexes = [...own, ...others];
  const only = partsOf(published);
  return { targets: { indexes, only, ...nothingRead(), settings, buffers }, warnings };
}

function partsOf({ targets }: PublishedTargets): SearchTargets["only"] {
  return new Map(
    targets.flatMap(({ index, only }) => (only === undefined ? [] : [[index, only] as const])),
  );
}

/** The notes of a search about published indexes. */
function nothingRead(): Pick<SearchTargets, "failures" | "replaced"> {
  return { failures: new Map(), replaced: new Set() };
}

/** A name that no local index can have. */
function isPublishedName(
  name: string,
  { isAll, settings }: { readonly isAll: boolean; readonly settings: Settings },
): boolean {
  return (isAll && name === ALL_PUBLISHED) || (settings["team.url"] !== "" && /[/@]/.test(name));
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
