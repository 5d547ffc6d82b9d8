/** Who calls a definition, and what it calls, by its name. */

import type { CallEdge, Graph } from "./graph.ts";
import { qualifiedName } from "./graph.ts";

/** Calls of definitions whose qualified name is `name` or ends with it. */
export function callersOf(graph: Graph, name: string): CallEdge[] {
  const last = name.slice(name.lastIndexOf(".") + 1);
  return graph.project.files.flatMap(({ facts }, file) => {
    // A file that never writes the name does not call it, unless under an alias.
    if (facts === undefined || facts.calls.length === 0) return [];
    return graph
      .callsOf(file)
      .filter(
        ({ to }) =>
          graph.project.definition(to)?.name === last &&
          isNamed(qualifiedName(graph.project, to), name),
      );
  });
}

/** Calls inside definitions whose qualified name is `name` or ends with it. */
export function calleesOf(graph: Graph, name: string): CallEdge[] {
  return graph.project.files.flatMap((_, file) =>
    graph.callsOf(file).filter(({ scope }) => {
      if (scope < 0) return false;
      return isNamed(qualifiedName(graph.project, { file, index: scope }), name);
    }),
  );
}

function isNamed(qualified: string, name: string): boolean {
  return qualified === name || qualified.endsWith(`.${name}`);
}
