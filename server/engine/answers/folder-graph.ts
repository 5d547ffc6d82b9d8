/** Graph requests over the opened folders: each folder asks the graph of its index and hides files outside the folder. */

import { isAbsolute, join } from "node:path";
import { BadRequest, Unavailable } from "../../common/errors.ts";
import { orAborted } from "../../common/or-aborted.ts";
import { inSlices, inSlicesUntil } from "../../common/slices.ts";
import type {
  CallSite,
  CallsAnswer,
  CallsRequest,
  ExportedEdges,
  PathRequest,
  RelatedAnswer,
  RelatedFile,
  RelatedRequest,
  UsedPackage,
} from "../../contracts/graph-requests.ts";
import { REQUEST_DEFAULTS } from "../../contracts/request-defaults.ts";
import { calleesOf, callersOf } from "../../graph/answers/call-sites.ts";
import { exportEdges } from "../../graph/answers/export.ts";
import { findPath, type Reached, walk } from "../../graph/answers/walk.ts";
import { type Graph, qualifiedName } from "../../graph/graph.ts";
import type { CallEdge } from "../../graph/resolve/file-view.ts";
import { explainPath } from "../indexes/index-explain.ts";
import type { Folder } from "./folder.ts";
import { placeOf } from "./place-in-folders.ts";

/** Rejects with the signal's reason; work that other requests share continues. */
export type GraphOf = (folder: Folder, signal?: AbortSignal) => Promise<Graph>;

/** With all edges resolved. Unavailable until the stored index is loaded, or without one. */
export async function resolvedGraphOf(folder: Folder, signal?: AbortSignal): Promise<Graph> {
  return await readGraph(folder, folder.index.graph?.whenResolved(), signal);
}

/**
 * For requests about the calls of a few files. Also starts resolving all edges, which takes 10 s for a new index of
 * rails, for later requests.
 */
export async function preparedGraphOf(folder: Folder, signal?: AbortSignal): Promise<Graph> {
  const graph = await readGraph(folder, folder.index.graph?.whenPrepared(), signal);
  resolveEdges(folder.index);
  return graph;
}

/** Starts resolving all edges for later requests. Not during indexing, when each change would start it again. */
export function resolveEdges({ workspace, graph }: Folder["index"]): void {
  if (workspace.status.state !== "indexing") void graph?.whenResolved().catch(() => undefined);
}

async function readGraph(
  { root, index }: Folder,
  reading: Promise<Graph> | undefined,
  signal: AbortSignal | undefined,
): Promise<Graph> {
  if (reading !== undefined) {
    return await (signal === undefined ? reading : orAborted(reading, signal));
  }
  const { state, reason = state } = index.workspace.status;
  if (state === "paused") throw new Unavailable(`${root} is not indexed`, reason);
  throw new Unavailable(`the graph of ${root} is still loading`, "retry in a moment");
}

/** Maps a path of the index to the folder's path; undefined for a path outside the folder. */
export function pathsIn({ part }: Folder): (path: string) => string | undefined {
  if (part === undefined) return (path) => path;
  const prefix = `${part}/`;
  return (path) => (path.startsWith(prefix) ? path.slice(prefix.length) : undefined);
}

export async function exportFolderGraph(folder: Folder, start: number): Promise<ExportedEdges> {
  return await inSlices(exportEdges(await resolvedGraphOf(folder), start, pathsIn(folder)));
}

interface Place {
  readonly folder: Folder;
  readonly graph: Graph;
  /** Relative to the index. */
  readonly inside: string;
  /** Undefined for a file that is not indexed. */
  readonly file: number | undefined;
}

interface PlaceOptions {
  readonly graphOf?: GraphOf;
  readonly signal?: AbortSignal | undefined;
}

/** BadRequest for a path outside all opened folders. */
export async function place(
  folders: readonly Folder[],
  path: string,
  { graphOf = resolvedGraphOf, signal }: PlaceOptions = {},
): Promise<Place> {
  const [first] = folders;
  const absolute = isAbsolute(path) || first === undefined ? path : join(first.root, path);
  const { folder, inside } = placeOf(absolute, folders, path);
  const graph = await graphOf(folder, signal);
  return { folder, graph, inside, file: graph.project.find(inside) };
}

/** Explains why a file is not indexed. */
export async function notIndexedProblem({ folder, inside }: Place): Promise<BadRequest> {
  return new BadRequest(await explainPath(folder.index, inside));
}

/** Like `place`, but BadRequest for a file that is not indexed. */
export async function locateFile(
  folders: readonly Folder[],
  path: string,
  options?: PlaceOptions,
): Promise<Place & { readonly file: number }> {
  const found = await place(folders, path, options);
  const { file } = found;
  if (file === undefined) throw await notIndexedProblem(found);
  return { ...found, file };
}

export async function relatedIn(
  folders: readonly Folder[],
  request: RelatedRequest,
  signal?: AbortSignal,
): Promise<RelatedAnswer> {
  const { folder, graph, file } = await locateFile(folders, request.path, { signal });
  const usual = REQUEST_DEFAULTS.related;
  const { direction = "all", hops = usual.hops, types, limit = usual.limit } = request;
  const kinds = types === undefined ? undefined : new Set(types);
  const steps = walk(graph.fileEdges, [file], { direction, hops, types: kinds });
  const reached = await inSlicesUntil(signal, steps);
  const files = shown(folder, graph, reached);
  const hasPackages = direction !== "importedBy" && (kinds === undefined || kinds.has("import"));
  const packages = hasPackages ? usedPackages(graph, file) : [];
  return { files: files.slice(0, limit), packages, total: files.length };
}

export async function dependencyPathIn(
  folders: readonly Folder[],
  { from, to }: PathRequest,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const start = await locateFile(folders, from, { signal });
  const end = await locateFile(folders, to, { signal });
  if (start.graph !== end.graph) return [];
  const name = pathsIn(start.folder);
  const found = findPath(start.graph.fileEdges, start.file, end.file) ?? [];
  return found.flatMap((file) => name(start.graph.project.path(file)) ?? []);
}

export async function callSitesIn(
  folders: readonly Folder[],
  what: "callers" | "callees",
  { name, limit = REQUEST_DEFAULTS.calls.limit }: CallsRequest,
  signal?: AbortSignal,
): Promise<CallsAnswer> {
  const sites: CallSite[] = [];
  for (const folder of folders) {
    const graph = await (what === "callers" ? resolvedGraphOf : preparedGraphOf)(folder, signal);
    const steps = what === "callers" ? callersOf(graph, name) : calleesOf(graph, name);
    const edges = await inSlicesUntil(signal, steps);
    sites.push(...edges.flatMap((edge) => toCallSite(folder, graph, edge) ?? []));
  }
  return { calls: sites.slice(0, limit), total: sites.length };
}

/** Undefined for a mere candidate and for a call or target outside the folder. */
function toCallSite(folder: Folder, { project }: Graph, edge: CallEdge): CallSite | undefined {
  const shownPath = pathsIn(folder);
  const path = shownPath(project.path(edge.file));
  const target = shownPath(project.path(edge.to.file));
  if (path === undefined || target === undefined || edge.isCandidate) return undefined;
  const { file, scope, line, confidence, how, to } = edge;
  const caller = scope < 0 ? "" : qualifiedName(project, { file, index: scope });
  const targetLine = project.definition(to)?.line ?? 0;
  const named = { path: target, line: targetLine, name: qualifiedName(project, to) };
  return { root: folder.root, path, line, caller, target: named, confidence, how };
}

/** The reached files that are in the folder. */
export function shown(
  folder: Folder,
  { project }: Graph,
  reached: readonly Reached[],
): RelatedFile[] {
  const name = pathsIn(folder);
  return reached.flatMap(({ file, via, hops, line, types, isDependent, confidence }) => {
    const path = name(project.path(file));
    const through = name(project.path(via));
    if (path === undefined || through === undefined) return [];
    const known = confidence === undefined ? {} : { confidence };
    return [{ path, hops, via: through, line, types, dependent: isDependent, ...known }];
  });
}

/** In the order of the imports, each once. */
export function usedPackages(graph: Graph, file: number): UsedPackage[] {
  const statements = graph.project.imports(file);
  const lines = new Map<string, number>();
  graph.resolutions(file).forEach(({ files, external }, i) => {
    const { line } = statements[i] ?? {};
    if (line === undefined || files.length > 0 || external === undefined) return;
    if (!lines.has(external)) lines.set(external, line);
  });
  return [...lines].map(([name, line]) => ({ name, line }));
}
