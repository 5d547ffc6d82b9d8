/** Lowers what stands in the folder of an older version (`v3/` beside `v4/`): it is kept for those who have not moved on. */

import { type Boost, type Ranked, rescored } from "../ranking.ts";

/** Like tests and examples, an old version says the same words as the answer and is seldom it. */
const FACTOR = 0.5;

/** `src/v3/types.ts`: what stands before it, and its number. Not `v1beta1`, which says how finished an interface is. */
const VERSIONED = /^(?<before>(?:.*\/)?)v(?<version>\d+)\//;

/** Words by which a question asks for any version. */
const ASKED = /^(?:v\d+|versions?|old|older|legacy|migrat\w+|upgrad\w+|compat\w*)$/;

export const superseded: Boost = {
  name: "superseded",
  apply: (hits, { query }) => {
    const { plainWords, filters } = query;
    if (filters.paths.length > 0 || plainWords.some((word) => ASKED.test(word))) return hits;
    const newest = newestVersions(hits);
    return hits.map((hit) => {
      const found = versionOf(hit);
      const latest = found && newest.get(found.before);
      if (found === undefined || latest === undefined || latest <= found.version) return hit;
      return rescored(hit, hit.score * FACTOR, "superseded", `there is v${latest}`);
    });
  },
};

function newestVersions(hits: readonly Ranked[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const hit of hits) {
    const found = versionOf(hit);
    if (found === undefined) continue;
    newest.set(found.before, Math.max(found.version, newest.get(found.before) ?? 0));
  }
  return newest;
}

function versionOf({ facts }: Ranked): { before: string; version: number } | undefined {
  const groups = VERSIONED.exec(facts.path)?.groups;
  return groups && { before: groups["before"] ?? "", version: Number(groups["version"]) };
}
