/** Counts which files commits changed together with some, and which change often: what else a change may concern. */

import type { ChangeHistory, CoChange } from "../contracts/history.ts";
import type { CommitIndex } from "./commit-index.ts";

/** A commit over more files says little about any two of them. */
const MAX_FILES = 30;

/** A change of a year ago counts half as much as one of today for what is likely to change. */
const HALF_LIFE_SECONDS = 365 * 24 * 3600;

/** What commits say of one changed file. */
interface Counts {
  own: number;
  readonly together: Map<string, number>;
  readonly recently: Map<string, number>;
}

/**
 * All under the names that files have today. Each commit that touched one of the changed files counts for the others that
 * it touched, less the more there were; `score` is less for a file that changes all the time than for one that changes
 * with these only, `recent` counts late commits more.
 */
export function changesAround(index: CommitIndex, changed: readonly string[]): ChangeHistory {
  const counted = new Map<string, Counts>();
  for (const path of changed)
    counted.set(path, { own: 0, together: new Map(), recently: new Map() });
  const changes = new Map<string, number>();
  const busy = new Map<string, number>();
  const commits = index.changes();
  const newest = commits.reduce((latest, { time }) => Math.max(latest, time), 0);
  for (const { paths, time } of commits) {
    if (paths.length > MAX_FILES) continue;
    const weight = 0.5 ** ((newest - time) / HALF_LIFE_SECONDS);
    for (const path of paths) {
      add(changes, path, 1);
      add(busy, path, weight);
      const counts = counted.get(path);
      if (counts === undefined) continue;
      counts.own++;
      for (const other of paths) {
        if (other === path) continue;
        add(counts.together, other, 1 / (paths.length - 1));
        add(counts.recently, other, weight / (paths.length - 1));
      }
    }
  }
  return { together: sumUp(counted, changes), busy };
}

function sumUp(
  counted: ReadonlyMap<string, Counts>,
  changes: ReadonlyMap<string, number>,
): CoChange[] {
  const [scores, recent] = [new Map<string, number>(), new Map<string, number>()];
  for (const { own, together, recently } of counted.values()) {
    for (const [path, sum] of together)
      add(scores, path, sum / Math.sqrt(own * (changes.get(path) ?? 1)));
    for (const [path, sum] of recently) add(recent, path, sum);
  }
  return [...scores]
    .filter(([path]) => !counted.has(path))
    .map(([path, score]) => ({ path, score, recent: recent.get(path) ?? 0 }))
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
