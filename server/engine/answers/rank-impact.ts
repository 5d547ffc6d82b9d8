/** Ranks the files that a change may concern: by the graph, by what commits changed together, by names. */

import type { ChangeHistory } from "../../contracts/history.ts";
import { fuseRanks } from "../../graph/answers/fuse-ranks.ts";
import { categorize } from "../../languages/categories.ts";
import { detect } from "../../languages/detect.ts";

/*
 * The weights, and the form, were chosen by recall of the first ten on 840 tasks from twenty repositories in eleven languages
 * (what one later commit changed together): .705, and .696 with five fused lists of ranks; of the graph alone .562, and
 * .534. On flask, httpx, cobra and gson, which chose nothing: .711 and .693, of the graph alone .618 and .612. Weights that
 * were learned from 33 signals gain no more.
 */

/** A file's shares of the walks from all changed files, as if so many commits had changed it with each of them. */
const GRAPH_WEIGHT = 0.7;
/** The same for names. */
const NAMES_WEIGHT = 0.3;
/** The same for how often it changes at all. */
const BUSY_WEIGHT = 0.5;

/** Of what is named alike and nothing else speaks for, only this is worth looking at. */
const MIN_LIKENESS = 0.5;

/** What documentation and configuration count: a list of changes changes with everything. */
const OTHER_WEIGHT = 0.1;
const SOURCES: ReadonlySet<string> = new Set(["implementation", "test"]);

/** Nobody looks at what comes after; it takes time to say what each file is. */
const MAX_RANKED = 300;

export interface ImpactEvidence extends ChangeHistory {
  /** How many files change. */
  readonly starts: number;
  /** Nearest first. */
  readonly near: readonly { readonly path: string; readonly share: number }[];
  /** Of each changed file, how alike others are named, from 0 to 1. */
  readonly alike: readonly ReadonlyMap<string, number>[];
}

interface Scored {
  readonly path: string;
  readonly score: number;
}

/** Best first, each path once. The changed files themselves are not in the evidence. */
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

/** What speaks for each file, counted in commits: commits themselves, and what is worth as much as some. */
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
