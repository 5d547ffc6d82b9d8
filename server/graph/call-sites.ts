/** Who calls a definition, and what it calls, by its name. */

import { type Graph, qualifiedName } from "./graph.ts";
import type { CallEdge } from "./view.ts";

/** Files whose texts are looked at between two pauses. */
const STEP_FILES = 50;

/** Calls of definitions whose qualified name is `name` or ends with it, in steps. */
export function* callersOf(graph: Graph, name: string): Generator<void, CallEdge[]> {
  const { project } = graph;
  const edges = graph.fileEdges;
  const defining = yield* definingFiles(graph, name);
  const files = new Set(defining);
  for (const file of defining) for (const caller of edges.to(file).keys()) files.add(caller);
  const found: CallEdge[] = [];
  for (const file of inOrder(graph, files)) {
    const calls = yield* graph.callsInSteps(file);
    found.push(...calls.filter(({ to }) => isNamed(qualifiedName(project, to), name)));
    yield;
  }
  return found;
}

/** Calls inside definitions whose qualified name is `name` or ends with it, in steps. */
export function* calleesOf(graph: Graph, name: string): Generator<void, CallEdge[]> {
  const { project } = graph;
  const found: CallEdge[] = [];
  for (const file of inOrder(graph, yield* definingFiles(graph, name))) {
    const calls = (yield* graph.callsInSteps(file)).filter(({ scope }) => scope >= 0);
    found.push(
      ...calls.filter(({ scope }) => isNamed(qualifiedName(project, { file, index: scope }), name)),
    );
    yield;
  }
  return found;
}

/** Files that define something by the last part of a qualified name. */
function* definingFiles({ project }: Graph, name: string): Generator<void, number[]> {
  const last = name.slice(name.lastIndexOf(".") + 1);
  const found: number[] = [];
  for (const [place, file] of project.files.entries()) {
    if (place % STEP_FILES === STEP_FILES - 1) yield;
    if (!project.mayName(file, last)) continue;
    if (project.facts(file)?.definitions.some((one) => one.name === last)) found.push(file);
  }
  return found;
}

function inOrder({ project }: Graph, files: Iterable<number>): number[] {
  return [...files].toSorted((a, b) => (project.path(a) < project.path(b) ? -1 : 1));
}

function isNamed(qualified: string, name: string): boolean {
  return qualified === name || qualified.endsWith(`.${name}`);
}
