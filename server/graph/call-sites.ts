/** Who calls a definition, and what it calls, by its name. */

import { type Graph, qualifiedName } from "./graph.ts";
import type { CallEdge } from "./view.ts";

/** Calls of definitions whose qualified name is `name` or ends with it, in steps. */
export function* callersOf(graph: Graph, name: string): Generator<void, CallEdge[]> {
  const { project } = graph;
  const edges = graph.fileEdges;
  const defining = definingFiles(graph, name);
  const files = new Set(defining);
  for (const file of defining) for (const caller of edges.to(file).keys()) files.add(caller);
  const found: CallEdge[] = [];
  for (const file of inOrder(graph, files)) {
    const calls = graph.callsOf(file);
    found.push(...calls.filter(({ to }) => isNamed(qualifiedName(project, to), name)));
    yield;
  }
  return found;
}

/** Calls inside definitions whose qualified name is `name` or ends with it, in steps. */
export function* calleesOf(graph: Graph, name: string): Generator<void, CallEdge[]> {
  const { project } = graph;
  const found: CallEdge[] = [];
  for (const file of inOrder(graph, definingFiles(graph, name))) {
    const calls = graph.callsOf(file).filter(({ scope }) => scope >= 0);
    found.push(
      ...calls.filter(({ scope }) => isNamed(qualifiedName(project, { file, index: scope }), name)),
    );
    yield;
  }
  return found;
}

/** Files that define something by the last part of a qualified name. */
function definingFiles({ project }: Graph, name: string): number[] {
  const last = name.slice(name.lastIndexOf(".") + 1);
  return project.files.filter(
    (file) =>
      project.mayName(file, last) &&
      project.facts(file)?.definitions.some((one) => one.name === last),
  );
}

function inOrder({ project }: Graph, files: Iterable<number>): number[] {
  return [...files].toSorted((a, b) => (project.path(a) < project.path(b) ? -1 : 1));
}

function isNamed(qualified: string, name: string): boolean {
  return qualified === name || qualified.endsWith(`.${name}`);
}
