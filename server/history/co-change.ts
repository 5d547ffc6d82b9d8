/** Co-change analysis: counts which files commits changed together, and which files change often, to predict the impact of a change. */

import { getOrCreate } from "../common/get-or-create.ts";
import { createWorkCounter } from "../common/work-counter.ts";
import type { ChangeHistory, CoChange } from "../contracts/history.ts";
import type { CommitChanges } from "./commit-changes.ts";

/** A commit over more files is weak evidence for any pair of them. */
const MAX_FILES = 30;

const YEAR_SECONDS = 365 * 24 * 3600;
/** For how often a file changes, a change of a year ago counts half as much as one of today. */
const BUSY_HALF_LIFE_SECONDS = YEAR_SECONDS;
/** Files that change together do so for longer. */
const TOGETHER_HALF_LIFE_SECONDS = 3 * YEAR_SECONDS;
/** Decay per later commit to the same file, because in a file that changes daily, years are too coarse. */
const NEXT_COMMIT_SHARE = 0.95;

/** Commits that are counted between two yields to the event loop. */
const STEP_COMMITS = 500;

/** Co-change counts of one changed file. `commits` is how many touched it. */
interface Counts {
  readonly commits: number;
  readonly together: Map<string, number>;
  readonly recently: Map<string, number>;
}

/** Counts over all commits, by path; rebuilt only when commits are added or removed. */
interface Tally {
  /** The commits that touched a file, newest first, without commits over many files. */
  readonly touching: Map<string, Weighted[]>;
  readonly busy: Map<string, number>;
}

interface Weighted {
  readonly paths: readonly string[];
  readonly weight: number;
}

const tallies = new WeakMap<object, Tally>();

/**
 * The files that commits changed together with `changed`, best first, by their current paths. Each commit that touched one
 * of the changed files counts for its other files, divided by their number. `score` is normalized by how often each file
 * changes; `recent` weighs late commits more. Yields between steps.
 */
export function* changesAround(
  changes: CommitChanges,
  changed: readonly string[],
): Generator<void, ChangeHistory> {
  const { touching, busy } = yield* tallyOf(changes);
  const counted = new Map<string, Counts>();
  for (const path of changed) {
    const commits = touching.get(path) ?? [];
    const counts: Counts = { commits: commits.length, together: new Map(), recently: new Map() };
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
  const known = tallies.get(commits);
  if (known !== undefined) return known;
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
      getOrCreate(tally.touching, path, () => []).push(weighted);
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
  for (const { commits, together, recently } of counted.values()) {
    for (const [path, sum] of together)
      add(scores, path, sum / Math.sqrt(commits * changesOf(path)));
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
