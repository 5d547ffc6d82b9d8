/** Exports all edges of a graph, page by page, in steps. */

import type { ExportedEdge, ExportedEdges } from "../../contracts/graph-requests.ts";
import { type Graph, qualifiedName } from "../graph.ts";
import type { DefinitionRef } from "../project/project.ts";
import { BY_USED_NAME } from "../resolve/rules.ts";

/** A few megabytes of JSON; a larger page would delay other requests. */
const PAGE_EDGES = 5_000;

/** The edges of the files from number `start` on. `include` gives the exported path of a file, or undefined to exclude it. */
export function* exportEdges(
  graph: Graph,
  start: number,
  include: (path: string) => string | undefined,
): Generator<void, ExportedEdges> {
  const edges: ExportedEdge[] = [];
  const files: string[] = [];
  const { project } = graph;
  for (let file = start; file < project.size; file++) {
    if (edges.length >= PAGE_EDGES) return { files, edges, next: file };
    const from = project.has(file) ? include(project.path(file)) : undefined;
    if (from === undefined) continue;
    if (project.language(file) !== "") files.push(from);
    edges.push(...(yield* edgesOf(graph, file, from, include)));
    yield;
  }
  return { files, edges };
}

function* edgesOf(
  graph: Graph,
  file: number,
  from: string,
  include: (path: string) => string | undefined,
): Generator<void, ExportedEdge[]> {
  const { project } = graph;
  const target = (ref: DefinitionRef) => {
    const path = include(project.path(ref.file));
    const line = project.definition(ref)?.line ?? 0;
    return path === undefined ? undefined : { file: path, line, name: qualifiedName(project, ref) };
  };
  // The graph has an edge per imported name, the export one per statement.
  const written = new Set<string>();
  const imports = graph.importsOf(file).flatMap(({ to, line, how }): ExportedEdge[] => {
    const key = `${to} ${line} ${how}`;
    const path = written.has(key) ? undefined : include(project.path(to));
    written.add(key);
    const kind = how === BY_USED_NAME ? "reference" : "import";
    return path === undefined ? [] : [{ kind, from, to: path, line, confidence: 1, how }];
  });
  const calls = (yield* graph.callsInSteps(file)).flatMap((call): ExportedEdge[] => {
    const to = call.isLocal ? undefined : target(call.to);
    const { line, column, name, confidence, how } = call;
    const kind = call.isCandidate ? "candidate" : "call";
    return to === undefined
      ? []
      : [{ kind, at: { file: from, line, column }, name, to, confidence, how }];
  });
  return [...imports, ...calls];
}
