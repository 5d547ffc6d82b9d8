/** What a change of some files may touch: neighbors in the graph and files that changed together, fused. */

import { BadRequest } from "../common/errors.ts";
import type {
  CoChangedFile,
  ImpactAnswer,
  ImpactFile,
  ImpactRequest,
  RelatedFile,
} from "../contracts/graph-requests.ts";
import { fuseRanks } from "../graph/fuse-ranks.ts";
import type { Graph } from "../graph/graph.ts";
import { walk } from "../graph/walk.ts";
import { categorize } from "../languages/categories.ts";
import { detect } from "../languages/detect.ts";
import type { Folder } from "./folder.ts";
import { DEFAULT_LIMIT, pathsIn, place, shown } from "./folder-graph.ts";

const DEFAULT_DEPTH = 3;
/** What a change touches through others than these is most of a workspace. */
const RANKED_HOPS = 2;
/** Of each changed file; the fusion hardly counts what comes after. */
const MAX_CO_CHANGED = 100;
/** Changed files whose commits are counted: each takes a pass over the whole history. */
const MAX_COUNTED_PATHS = 50;

/** Of 0, .3 and .6, the one with the highest recall on cobra, httpx and flask. */
const BUSY_WEIGHT = 0.6;
const SOURCES: ReadonlySet<string> = new Set(["implementation", "test"]);

/** Files in both directions, because what changes together need not depend on what changed; tests only where they do. */
export async function impactIn(
  folders: readonly Folder[],
  request: ImpactRequest,
): Promise<ImpactAnswer> {
  const places = await Promise.all(
    request.paths.map(async (path) => ({ path, ...(await place(folders, path)) })),
  );
  const first = places.find(({ file }) => file !== undefined);
  if (first === undefined) throw new BadRequest(`${request.paths[0]} is not indexed`);
  const { folder, graph } = first;
  const own = places.filter((one) => one.graph === graph);
  const starts = own.flatMap(({ file }) => file ?? []);
  const { depth = DEFAULT_DEPTH, limit = DEFAULT_LIMIT } = request;
  const hops = Math.min(depth, RANKED_HOPS);
  const near = shown(folder, graph, walk(graph.fileEdges, starts, { direction: "all", hops }));
  const dependents = walk(graph.fileEdges, starts, { direction: "importedBy", hops: depth });
  const tests = shown(folder, graph, dependents)
    .map(({ path }) => path)
    .filter((path) => categorize(path, "") === "test");
  const together = await coChangedWith(
    folder,
    graph,
    own.map(({ inside }) => inside),
  );
  const files = fuseImpact(near, together, await recentChangesIn(folder));
  return {
    files: files.slice(0, limit),
    total: files.length,
    tests: tests.slice(0, limit),
    coChanged: together.slice(0, limit),
    notIndexed: places.filter(({ file }) => file === undefined).map(({ path }) => path),
  };
}

/**
 * Each file with what speaks for it. `recent` is how often files changed lately: of two that are near, the busier one
 * is more likely to be touched.
 */
export function fuseImpact(
  near: readonly RelatedFile[],
  together: readonly CoChangedFile[],
  recent: ReadonlyMap<string, number>,
): ImpactFile[] {
  const related = new Map(near.map((file) => [file.path, file]));
  const counted = new Map(together.map(({ path, score }) => [path, score]));
  const changes = (path: string) => recent.get(path) ?? 0;
  const busy = [...new Set([...related.keys(), ...counted.keys()])]
    .filter((path) => changes(path) > 0)
    .toSorted((a, b) => changes(b) - changes(a));
  const lists = [
    { paths: [...related.keys()], weight: 1 },
    { paths: sourcesFirst([...counted.keys()]), weight: 1 },
    { paths: sourcesFirst(busy), weight: BUSY_WEIGHT },
  ];
  return fuseRanks(lists).map((path): ImpactFile => {
    const [file, coChange] = [related.get(path), counted.get(path)];
    if (file === undefined) return { path, reason: "co-change", coChange: coChange ?? 0 };
    return coChange === undefined
      ? { ...file, reason: "graph" }
      : { ...file, reason: "both", coChange };
  });
}

/** A list of changes or a configuration file changes with everything. */
function sourcesFirst(paths: readonly string[]): string[] {
  const isSource = (path: string) => SOURCES.has(categorize(path, detect(path, "")));
  return [...paths.filter(isSource), ...paths.filter((path) => !isSource(path))];
}

/** Empty where there is no history. */
async function recentChangesIn(folder: Folder): Promise<ReadonlyMap<string, number>> {
  const { past } = folder.index;
  if (past.history.status.state === "off") return new Map();
  const name = pathsIn(folder);
  const changes = [...(await past.recentChanges())];
  return new Map(
    changes.flatMap(([whole, count]) => {
      const path = name(whole);
      return path === undefined ? [] : [[path, count] as const];
    }),
  );
}

/** Best first; only files that are indexed, and none of those that changed. Empty where there is no history. */
async function coChangedWith(
  folder: Folder,
  { project }: Graph,
  changed: readonly string[],
): Promise<CoChangedFile[]> {
  const { past } = folder.index;
  const name = pathsIn(folder);
  if (past.history.status.state === "off") return [];
  const sums = new Map<string, number>();
  for (const path of changed.slice(0, MAX_COUNTED_PATHS)) {
    for (const other of await past.coChange(path, MAX_CO_CHANGED)) {
      sums.set(other.path, (sums.get(other.path) ?? 0) + other.score);
    }
  }
  for (const path of changed) sums.delete(path);
  return [...sums]
    .filter(([path]) => project.find(path) !== undefined)
    .flatMap(([whole, score]) => {
      const path = name(whole);
      return path === undefined ? [] : [{ path, score }];
    })
    .toSorted((a, b) => b.score - a.score);
}
