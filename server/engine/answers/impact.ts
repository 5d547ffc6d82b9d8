/** Answers impact requests: ranks files by graph distance, by commits that changed them together, and by name. */

import { inSlices, inSlicesUntil } from "../../common/slices.ts";
import type { ImpactAnswer, ImpactFile, ImpactRequest } from "../../contracts/graph-requests.ts";
import type { ChangeHistory, CoChange } from "../../contracts/history.ts";
import { REQUEST_DEFAULTS } from "../../contracts/request-defaults.ts";
import { type Reached, walk } from "../../graph/answers/walk.ts";
import type { Graph } from "../../graph/graph.ts";
import { changedPaths } from "../../history/answers/changed-paths.ts";
import { categorize } from "../../languages/categories.ts";
import type { Folder } from "./folder.ts";
import { notIndexedProblem, pathsIn, place, shown } from "./folder-graph.ts";
import { rankImpact } from "./rank-impact.ts";

/** Through more hops, a change reaches most of a workspace. */
const RANKED_HOPS = 2;
/** Later entries hardly change the ranking. */
const MAX_CO_CHANGED = 200;

const NOTHING = {
  changed: [],
  files: [],
  total: 0,
  tests: [],
  testsTotal: 0,
  coChanged: [],
  coChangedTotal: 0,
};

/**
 * Ranks files in both directions, because files that change together need not import each other; tests only if they
 * depend on a changed file.
 */
export async function impactIn(
  folders: readonly Folder[],
  request: ImpactRequest,
  signal?: AbortSignal,
): Promise<ImpactAnswer> {
  const { paths, untracked } = await changedPaths(folders, request, signal);
  const known = eachOnce(await placesOf(folders, paths, signal));
  const isIndexed = ({ file }: { file: number | undefined }) => file !== undefined;
  const places = [...known, ...(await placesOf(folders, untracked, signal)).filter(isIndexed)];
  const notIndexed = places
    .filter((one) => !isIndexed(one))
    .map(({ path, folder, inside }) =>
      request.paths === undefined ? (pathsIn(folder)(inside) ?? path) : path,
    );
  // The commits still know deleted files.
  const first = places.find(isIndexed) ?? (request.paths === undefined ? places[0] : undefined);
  if (first === undefined) {
    const [missing] = places;
    if (request.paths !== undefined && missing !== undefined)
      throw await notIndexedProblem(missing);
    return { ...NOTHING, notIndexed };
  }
  const { folder, graph } = first;
  const own = places.filter((one) => one.graph === graph);
  const starts = own.flatMap(({ file }) => file ?? []);
  const usual = REQUEST_DEFAULTS.impact;
  const { depth = usual.depth, limit = usual.limit } = request;
  const hops = Math.min(depth, RANKED_HOPS);
  const name = pathsIn(folder);
  const around = await inSlicesUntil(
    signal,
    walk(graph.fileEdges, starts, { direction: "all", hops }),
  );
  const near = around.flatMap((reached) => {
    const path = name(graph.project.path(reached.file));
    return path === undefined ? [] : [{ path, share: reached.share, reached }];
  });
  const dependents = await inSlicesUntil(
    signal,
    walk(graph.fileEdges, starts, { direction: "importedBy", hops: depth }),
  );
  const commits = await commitsAround(
    folder,
    graph,
    own.map(({ inside }) => inside),
  );
  const changed = own.map(({ inside }) => inside);
  const alike = await namedAlike(folder, graph, changed);
  const ranked = rankImpact({ starts: own.length, near, alike, ...commits });
  const tests = await inSlicesUntil(signal, testsAmong(starts, dependents, { folder, graph }));
  return {
    changed: own.filter(isIndexed).flatMap(({ inside }) => name(inside) ?? []),
    files: describe(ranked.slice(0, limit), { folder, graph, near, ...commits }),
    total: ranked.length,
    tests: tests.slice(0, limit),
    testsTotal: tests.length,
    coChanged: commits.together.slice(0, limit).map(({ path, score }) => ({ path, score })),
    coChangedTotal: commits.total,
    notIndexed,
  };
}

/** Whether a file has calls. A test without calls is data and cannot be run. */
function isCalling({ project }: Graph, file: number): boolean {
  return (project.facts(file)?.calls.length ?? 0) > 0;
}

/** A generator for slices: categorizing a file takes longer than walking to it, and reading its facts longer still. */
function* testsAmong(
  changed: readonly number[],
  dependents: readonly Reached[],
  { folder, graph }: { folder: Folder; graph: Graph },
): Generator<void, string[]> {
  const name = pathsIn(folder);
  const tests: string[] = [];
  const files = [...changed, ...dependents.map(({ file }) => file)];
  for (const [i, file] of files.entries()) {
    yield;
    const path = name(graph.project.path(file));
    if (path === undefined || categorize(path, "") !== "test") continue;
    if (i >= changed.length || isCalling(graph, file)) tests.push(path);
  }
  return tests;
}

async function placesOf(
  folders: readonly Folder[],
  paths: readonly string[],
  signal: AbortSignal | undefined,
) {
  return await Promise.all(
    paths.map(async (path) => ({ path, ...(await place(folders, path, { signal })) })),
  );
}

/** Deduplicates: a request may name a file as `a.ts`, `./a.ts` and by its absolute path. */
function eachOnce(places: Awaited<ReturnType<typeof placesOf>>): typeof places {
  const byFile = new Map(places.map((one) => [`${one.folder.index.root}\0${one.inside}`, one]));
  return [...byFile.values()];
}

/** For each changed file, the name similarity of the unchanged files, 0 to 1. */
async function namedAlike(
  folder: Folder,
  { project, similarFileNames }: Graph,
  changed: readonly string[],
): Promise<ReadonlyMap<string, number>[]> {
  await inSlices(similarFileNames.settle());
  const name = pathsIn(folder);
  const own = new Set(changed);
  return changed.map((inside) => {
    const alike = new Map<string, number>();
    for (const [file, likeness] of similarFileNames.similarTo(inside)) {
      const path = project.path(file);
      const known = own.has(path) ? undefined : name(path);
      if (known !== undefined) alike.set(known, likeness);
    }
    return alike;
  });
}

interface Found {
  readonly folder: Folder;
  readonly graph: Graph;
  readonly near: readonly { readonly path: string; readonly reached: Reached }[];
  readonly together: readonly CoChange[];
}

/** Each file with the reason for its rank. */
function describe(
  paths: readonly string[],
  { folder, graph, near, together }: Found,
): ImpactFile[] {
  const wanted = new Set(paths);
  const known = near.filter(({ path }) => wanted.has(path));
  const found = new Map(known.map(({ path, reached }) => [path, reached]));
  const counted = new Map(together.map(({ path, score }) => [path, score]));
  return paths.map((path): ImpactFile => {
    const [one, coChange] = [found.get(path), counted.get(path)];
    const [file] = one === undefined ? [] : shown(folder, graph, [one]);
    if (file !== undefined)
      return coChange === undefined
        ? { ...file, reason: "graph" }
        : { ...file, reason: "both", coChange };
    return coChange === undefined
      ? { path, reason: "name" }
      : { path, reason: "co-change", coChange };
  });
}

function renamed(
  counts: ReadonlyMap<string, number>,
  name: (path: string) => string | undefined,
): ReadonlyMap<string, number> {
  return new Map(
    [...counts].flatMap(([path, count]) => {
      const own = name(path);
      return own === undefined ? [] : [[own, count] as const];
    }),
  );
}

interface CommitsAround extends ChangeHistory {
  /** The number of files that changed together with these, without the limit. */
  readonly total: number;
}

/** Counts of indexed files only, by the folder's paths. Empty without a history. */
async function commitsAround(
  folder: Folder,
  { project }: Graph,
  changed: readonly string[],
): Promise<CommitsAround> {
  if (folder.index.settings["history.commits"] === 0)
    return { together: [], total: 0, busy: new Map() };
  const name = pathsIn(folder);
  const { together, busy } = await folder.index.history.changesAround(changed);
  const inFolder = together
    .filter(({ path }) => project.find(path) !== undefined)
    .flatMap(({ path, ...scores }) => {
      const own = name(path);
      return own === undefined ? [] : [{ path: own, ...scores }];
    });
  return {
    together: inFolder.slice(0, MAX_CO_CHANGED),
    total: inFolder.length,
    busy: folder.part === undefined ? busy : renamed(busy, name),
  };
}
