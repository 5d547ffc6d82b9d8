/** Ranks the files that a change may concern: by the graph, by commits that changed files together, by names. */

import type { ChangeHistory } from "../../contracts/history.ts";
import { categorize } from "../../languages/categories.ts";
import { detect } from "../../languages/detect.ts";

/* The weights were chosen by recall at 10; see test/ranking/impact.md. */

/** Weight of the graph: a file's share of the random walks from all changed files, in commits. */
const GRAPH_WEIGHT = 0.7;
/** Weight of name similarity, in commits. */
const NAMES_WEIGHT = 0.3;
/** Weight of a file's overall rate of change, in commits. */
const BUSY_WEIGHT = 0.5;

/** Minimum name similarity of a file without other evidence. */
const MIN_LIKENESS = 0.5;

/** Factor for documentation and configuration: a changelog changes with everything. */
const OTHER_WEIGHT = 0.1;
const SOURCES: ReadonlySet<string> = new Set(["implementation", "test"]);

/** Files after these are not categorized, which takes time. */
const MAX_RANKED = 300;

export interface ImpactEvidence extends ChangeHistory {
  /** Number of changed files. */
  readonly starts: number;
  /** Nearest first. */
  readonly near: readonly { readonly path: string; readonly share: number }[];
  /** For each changed file, the name similarity of other files, 0 to 1. */
  readonly alike: readonly ReadonlyMap<string, number>[];
}

interface Scored {
  readonly path: string;
  readonly score: number;
}

/** Best first, each path once; never the changed files themselves. */
export function rankImpact(evidence: ImpactEvidence): string[] {
  const { near, together } = evidence;
  const all = scored(evidence).toSorted(byScore);
  const first = all.slice(0, MAX_RANKED);
  const places = new Set(first.map(({ path }) => path));
  const ranked = (paths: readonly { readonly path: string }[]) =>
    paths.flatMap(({ path }) => (places.has(path) ? [path] : []));
  const sources = new Set([...places].filter(isSource));
  const weighed = first.map(({ path, score }) => {
    return { path, score: sources.has(path) ? score : score * OTHER_WEIGHT };
  });
  const counted = ranked(together);
  const sourcesFirst = [
    ...counted.filter((path) => sources.has(path)),
    ...counted.filter((path) => !sources.has(path)),
  ];
  const lists = [
    { paths: weighed.toSorted(byScore).map(({ path }) => path), weight: 2 },
    { paths: sourcesFirst, weight: 0.5 },
    { paths: ranked(near), weight: 0.5 },
  ];
  return [...fuseRanks(lists), ...all.slice(MAX_RANKED).map(({ path }) => path)];
}

/** The evidence for each file, in commits: real ones, and the weights of the other signals. */
function scored({ starts, near, alike, together, busy }: ImpactEvidence): Scored[] {
  const scores = new Map<string, number>();
  for (const { path, share } of near) scores.set(path, GRAPH_WEIGHT * share);
  const add = (path: string, score: number) => scores.set(path, (scores.get(path) ?? 0) + score);
  for (const { path, recent } of together) add(path, recent);
  for (const likeness of alike) {
    let sum = 0;
    for (const one of likeness.values()) sum += one * one;
    for (const [path, one] of likeness)
      if (one >= MIN_LIKENESS || scores.has(path)) add(path, (NAMES_WEIGHT * one * one) / sum);
  }
  let changes = 0;
  for (const count of busy.values()) changes += count;
  const perChange = changes === 0 ? 0 : (BUSY_WEIGHT * starts) / changes;
  return Array.from(scores, ([path, score]) => {
    return { path, score: score + perChange * (busy.get(path) ?? 0) };
  });
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score;
}

function isSource(path: string): boolean {
  return SOURCES.has(categorize(path, detect(path, "")));
}

/** In twenty repositories, 20 had a higher recall of files that commits changed together than 10 and 40. */
const RANK_CONSTANT = 20;

interface WeightedList {
  /** Best first. */
  readonly paths: readonly string[];
  readonly weight: number;
}

/** Distinct paths, best first; ties keep the order of the lists. */
export function fuseRanks(lists: readonly WeightedList[]): string[] {
  const scores = new Map<string, number>();
  for (const { paths, weight } of lists) {
    paths.forEach((path, i) => {
      scores.set(path, (scores.get(path) ?? 0) + weight / (RANK_CONSTANT + i + 1));
    });
  }
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([path]) => path);
}
