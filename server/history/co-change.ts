/** Counts which files commits changed together with a file: a measure of what else a change may concern. */

import type { CommitIndex } from "./commit-index.ts";

/** A commit over more files says little about any two of them. */
const MAX_FILES = 30;

/** A change of a year ago counts half as much as one of today for what is likely to change. */
const HALF_LIFE_SECONDS = 365 * 24 * 3600;

/** How often each file changed lately, under the names that files have today. */
export function recentChanges(index: CommitIndex): Map<string, number> {
  const counts = new Map<string, number>();
  const facts = [...index.all()].flatMap((commit) => index.facts(commit) ?? []);
  const newest = facts.reduce((latest, { time }) => Math.max(latest, time), 0);
  for (const { paths, time } of facts) {
    if (paths.length > MAX_FILES) continue;
    const weight = 0.5 ** ((newest - time) / HALF_LIFE_SECONDS);
    for (const path of new Set(paths.map((each) => index.pathNow(each, time))))
      counts.set(path, (counts.get(path) ?? 0) + weight);
  }
  return counts;
}

/**
 * Best first, at most `limit`, under the names that files have today. Each commit that touched the file counts for the
 * others that it touched, less the more there were; a file that changes all the time is worth less than one that changes
 * with this one only.
 */
export function coChange(
  index: CommitIndex,
  path: string,
  limit: number,
): { readonly path: string; readonly score: number }[] {
  const together = new Map<string, number>();
  const changes = new Map<string, number>();
  let own = 0;
  for (const commit of index.all()) {
    const facts = index.facts(commit);
    if (facts === undefined || facts.paths.length > MAX_FILES) continue;
    const paths = new Set(facts.paths.map((each) => index.pathNow(each, facts.time)));
    for (const each of paths) changes.set(each, (changes.get(each) ?? 0) + 1);
    if (!paths.delete(path)) continue;
    own++;
    for (const each of paths) together.set(each, (together.get(each) ?? 0) + 1 / paths.size);
  }
  const scored = [...together].map(([each, sum]) => ({
    path: each,
    score: sum / Math.sqrt(own * (changes.get(each) ?? 1)),
  }));
  return scored.toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)).slice(0, limit);
}
