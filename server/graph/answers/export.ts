/** All edges of a graph in the form in which they are written out, a page of files at a time, in steps. */

import type { ExportedEdge, ExportedEdges } from "../../contracts/graph-requests.ts";
import { type Graph, qualifiedName } from "../graph.ts";
import type { DefinitionRef } from "../project/project.ts";
import { BY_USED_NAME } from "../resolve/rules.ts";

/** Some megabytes of JSON; a request for more would keep others waiting. */
const PAGE_EDGES = 5_000;

/** Edges of the files from number `start` on, of those whose path `include` lets through. */
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
  // An import of several names is one edge, as it is written, and one for each name in the graph.
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
