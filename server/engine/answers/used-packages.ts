/** The external packages that a file imports. */

import type { UsedPackage } from "../../contracts/graph-requests.ts";
import type { Graph } from "../../graph/graph.ts";

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
