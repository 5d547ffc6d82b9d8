/** Adds what the graph knows to the hits of a search: importer counts, and related files. */

import { inSlices } from "../../common/slices.ts";
import type { Hit } from "../../contracts/model.ts";
import { REQUEST_DEFAULTS } from "../../contracts/request-defaults.ts";
import type { SearchRequest } from "../../contracts/search-request.ts";
import type { RelatedToHits } from "../../contracts/session.ts";
import { walk } from "../../graph/answers/walk.ts";
import { Folder } from "./folder.ts";
import { resolveEdges, shown } from "./folder-graph.ts";
import type { SearchTargets } from "./search-targets.ts";

/** Files related to hits after these are rarely useful. */
const MAX_STARTS = 10;

/** Returns the answer with importer counts and, if asked for, related files. */
export async function withGraph<A extends { readonly hits: readonly Hit[] }>(
  { indexes, settings }: Pick<SearchTargets, "indexes" | "settings">,
  { expand }: Pick<SearchRequest, "expand">,
  answer: A,
): Promise<A> {
  const folders = indexes.filter((target) => target instanceof Folder);
  const hits = withImporters(folders, answer.hits);
  const expansion = expand ?? usualExpansion(folders, settings["search.related"]);
  if (expansion === undefined) return { ...answer, hits };
  return { ...answer, hits, related: await relatedToHits(folders, answer.hits, expansion) };
}

/** The expansion that `search.related` asks for; undefined if a search would have to wait for the graph. */
function usualExpansion(folders: readonly Folder[], limit: number): SearchRequest["expand"] {
  return limit > 0 && folders.every(isResolved) ? { limit } : undefined;
}

/** Whether all edges are resolved. If not, starts resolving them for a later search. */
function isResolved({ index }: Folder): boolean {
  if (index.graph?.isResolved === true) return true;
  resolveEdges(index);
  return false;
}

function withImporters<H extends Hit>(folders: readonly Folder[], hits: readonly H[]): H[] {
  const counts = new Map<string, ReadonlyMap<string, number>>();
  for (const folder of folders) {
    const own = hits.filter(({ root }) => root === folder.root).map(({ path }) => path);
    if (own.length > 0) counts.set(folder.root, importersIn(folder, own));
  }
  return hits.map((hit) => {
    const importers = counts.get(hit.root)?.get(hit.path);
    return importers === undefined ? hit : { ...hit, importers };
  });
}

/** Never waits: a pass resolves the imports when it commits, and after a restart stored edges are counted. */
function importersIn(
  { index, part }: Folder,
  paths: readonly string[],
): ReadonlyMap<string, number> {
  // During indexing, each search would resolve the changes of the latest commit.
  if (index.graph === undefined || index.workspace.status.state === "indexing") return new Map();
  const countOf = index.graph.importerCounts;
  if (countOf === undefined) {
    void index.graph.whenImportersCounted().catch(() => undefined);
    return new Map();
  }
  return new Map(
    paths.flatMap((path) => {
      const count = countOf(part === undefined ? path : `${part}/${path}`);
      return count === undefined ? [] : [[path, count] as const];
    }),
  );
}

/** Follows edges in both directions; each file once, without the hits themselves. */
async function relatedToHits(
  folders: readonly Folder[],
  hits: readonly Hit[],
  {
    hops = REQUEST_DEFAULTS.expand.hops,
    limit = REQUEST_DEFAULTS.expand.limit,
  }: NonNullable<SearchRequest["expand"]>,
): Promise<RelatedToHits[]> {
  const related: RelatedToHits[] = [];
  for (const folder of folders) {
    const { root, part, index } = folder;
    const graph = await index.graph?.whenResolved();
    if (graph === undefined) continue;
    const found = hits
      .filter((hit) => hit.root === root)
      .flatMap(
        ({ path }) => graph.project.find(part === undefined ? path : `${part}/${path}`) ?? [],
      );
    const files = [...new Set(found)];
    const starts = files.slice(0, MAX_STARTS);
    const others = new Set(files);
    const reached = await inSlices(walk(graph.fileEdges, starts, { direction: "all", hops }));
    const fresh = reached.filter(({ file }) => !others.has(file));
    related.push(...shown(folder, graph, fresh).map((file) => ({ root, ...file })));
  }
  return related.toSorted((a, b) => a.hops - b.hops).slice(0, limit);
}
