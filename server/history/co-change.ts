/** Counts which files commits changed together with some, and which change often: what else a change may concern. */

import { createWorkCounter } from "../common/work-counter.ts";
import type { ChangeHistory, CoChange } from "../contracts/history.ts";
import type { CommitChanges } from "./commit-changes.ts";

/** A commit over more files says little about any two of them. */
const MAX_FILES = 30;

const YEAR_SECONDS = 365 * 24 * 3600;
/** A change of a year ago counts half as much as one of today for what is likely to change. */
const BUSY_HALF_LIFE_SECONDS = YEAR_SECONDS;
/** What changed together does so for longer. */
const TOGETHER_HALF_LIFE_SECONDS = 3 * YEAR_SECONDS;
/** What a commit counts of the one after it, of those that touched the same file: in a file that changes daily, years are too coarse. */
const NEXT_COMMIT_SHARE = 0.95;

/** Commits that are counted between two pauses. */
const STEP_COMMITS = 500;

/** What commits say of one changed file. */
interface Counts {
  readonly own: number;
  readonly together: Map<string, number>;
  readonly recently: Map<string, number>;
}

/** What all commits say, by path: made once, and again only when commits come or go. */
interface Tally {
  /** The commits that touched a file, newest first, without those over many files. */
  readonly touching: Map<string, Weighted[]>;
  readonly busy: Map<string, number>;
}

interface Weighted {
  readonly paths: readonly string[];
  readonly weight: number;
}

const tallies = new WeakMap<object, Tally>();

/**
 * All under the names that files have today. Each commit that touched one of the changed files counts for the others that
 * it touched, less the more there were; `score` is less for a file that changes all the time than for one that changes
 * with these only, `recent` counts late commits more. In steps.
 */
export function* changesAround(
  changes: CommitChanges,
  changed: readonly string[],
): Generator<void, ChangeHistory> {
  const { touching, busy } = yield* tallyOf(changes);
  const counted = new Map<string, Counts>();
  for (const path of changed) {
    const commits = touching.get(path) ?? [];
    const counts: Counts = { own: commits.length, together: new Map(), recently: new Map() };
    counted.set(path, counts);
    commits.forEach(({ paths, weight }, place) => {
      const recent = weight * NEXT_COMMIT_SHARE ** place;
      for (const other of paths) {
        if (other === path) continue;
        add(counts.together, other, 1 / (paths.length - 1));
        add(counts.recently, other, recent / (paths.length - 1));
      }
    });
  }
  return { together: sumUp(counted, (path) => touching.get(path)?.length ?? 1), busy };
}

function* tallyOf(changes: CommitChanges): Generator<void, Tally> {
  const commits = changes.all();
  const made = tallies.get(commits);
  if (made !== undefined) return made;
  yield;
  const tally: Tally = { touching: new Map(), busy: new Map() };
  const small = commits.filter(({ paths }) => paths.length <= MAX_FILES);
  const newest = commits.reduce((latest, { time }) => Math.max(latest, time), 0);
  const isStep = createWorkCounter(STEP_COMMITS);
  for (const { paths, time } of small.toSorted((a, b) => b.time - a.time)) {
    if (isStep(1)) yield;
    const weighted = { paths, weight: 0.5 ** ((newest - time) / TOGETHER_HALF_LIFE_SECONDS) };
    const busy = 0.5 ** ((newest - time) / BUSY_HALF_LIFE_SECONDS);
    for (const path of paths) {
      add(tally.busy, path, busy);
      const known = tally.touching.get(path);
      if (known === undefined) tally.touching.set(path, [weighted]);
      else known.push(weighted);
    }
  }
  tallies.set(commits, tally);
  return tally;
}

function sumUp(
  counted: ReadonlyMap<string, Counts>,
  changesOf: (path: string) => number,
): CoChange[] {
  const [scores, recent] = [new Map<string, number>(), new Map<string, number>()];
  for (const { own, together, recently } of counted.values()) {
    for (const [path, sum] of together) add(scores, path, sum / Math.sqrt(own * changesOf(path)));
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
