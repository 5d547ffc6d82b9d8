/**
 * Lowers files in the folder of an older version (`v3/` beside `v4/`, `v1/fields.py` beside `fields.py`), which is
 * kept for backward compatibility.
 */

import { memoizeRetained } from "../../common/memoize.ts";
import { isFolderIndex } from "../paths.ts";
import { type Boost, type Ranked, rescore } from "../ranking.ts";

/** Like tests and examples, an old version says the same words as the answer and is seldom it. */
const FACTOR = 0.5;

/** `src/v3/types.ts`: the path before the version, its number, and the path after it. Not `v1beta1`, which says how finished an interface is. */
const VERSIONED = /^(?<before>(?:.*\/)?)v(?<version>\d+)\/(?<rest>.+)$/;

/** Words of a question that asks about versions. */
const ASKED = /^(?:v\d+|versions?|old|older|legacy|migrat\w+|upgrad\w+|compat\w*)$/;

export const outdatedVersion: Boost = {
  name: "outdatedVersion",
  apply: (hits, { query }) => {
    const { plainWords, filters } = query;
    if (filters.paths.length > 0 || plainWords.some((word) => ASKED.test(word))) return hits;
    const newest = newestVersions(hits);
    if (newest.size === 0) return hits;
    const paths = new Set(hits.map(({ facts }) => facts.path));
    for (const hit of hits) {
      const newer = newerThan(hit, newest, paths);
      if (newer === undefined) continue;
      rescore(hit, hit.score * FACTOR, "outdatedVersion", `there is ${newer}`);
    }
    return hits;
  },
};

/**
 * Finds the newer version of a file: in a folder with a higher number, or outside for `v1/` only, since Go keeps its first
 * version outside and its second in `v2/`. Outside, skips index files, which have a namesake in every folder.
 */
function newerThan(
  hit: Ranked,
  newest: ReadonlyMap<string, number>,
  paths: ReadonlySet<string>,
): string | undefined {
  const found = versionOf(hit);
  if (found === undefined) return undefined;
  const { before, version, rest } = found;
  const latest = newest.get(before) ?? 0;
  if (latest > version) return `v${latest}`;
  const outside = before + rest;
  const hasMovedOut = version === 1 && paths.has(outside) && !isFolderIndex(outside);
  return hasMovedOut ? outside : undefined;
}

function newestVersions(hits: readonly Ranked[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const hit of hits) {
    const found = versionOf(hit);
    if (found === undefined) continue;
    newest.set(found.before, Math.max(found.version, newest.get(found.before) ?? 0));
  }
  return newest;
}

interface Versioned {
  readonly before: string;
  readonly version: number;
  readonly rest: string;
}

const NO_VERSION = { version: undefined } as const;

/** A cache for files that recur across searches; about 1 MB when full. */
const REMEMBERED_PATHS = 10_000;

const knownVersion = memoizeRetained((path): Versioned | typeof NO_VERSION => {
  const groups = VERSIONED.exec(path)?.groups;
  if (groups === undefined) return NO_VERSION;
  const { before = "", version, rest = "" } = groups;
  return { before, version: Number(version), rest };
}, REMEMBERED_PATHS);

function versionOf({ facts: { path } }: Ranked): Versioned | undefined {
  // Said sooner than looked up.
  if (!path.includes("/v") && !path.startsWith("v")) return undefined;
  const found = knownVersion(path);
  return found.version === undefined ? undefined : found;
}
