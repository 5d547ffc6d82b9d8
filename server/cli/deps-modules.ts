/** The import graph of the files of a workspace: importers, cycles (strongly connected components) and layers. */

import { getOrCreate } from "../common/get-or-create.ts";
import { stronglyConnected } from "../common/strongly-connected.ts";
import type { ExportedEdge } from "../contracts/graph-requests.ts";

export interface Modules {
  /** Sorted. */
  readonly files: readonly string[];
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  readonly importedBy: ReadonlyMap<string, ReadonlySet<string>>;
  /** Files that import each other, the largest cycle first. */
  readonly cycles: readonly (readonly string[])[];
  /** The layer of each file: 0 if it imports no file of the workspace, else one above the highest layer that it imports. */
  readonly layers: ReadonlyMap<string, number>;
}

/** Only files that pass `include`, and the edges between them. */
export function toModules(
  paths: readonly string[],
  edges: readonly ExportedEdge[],
  include: (path: string) => boolean,
): Modules {
  const files = paths.filter(include).toSorted();
  const known = new Set(files);
  const imports = new Map<string, Set<string>>();
  const importedBy = new Map<string, Set<string>>();
  for (const edge of edges) {
    if (edge.kind !== "import" || !known.has(edge.from) || !known.has(edge.to)) continue;
    getOrCreate(imports, edge.from, () => new Set()).add(edge.to);
    getOrCreate(importedBy, edge.to, () => new Set()).add(edge.from);
  }
  const groups = stronglyConnected(files, (file) => [...(imports.get(file) ?? [])]);
  const cycles = groups
    .filter((group) => group.length > 1)
    .map((group) => group.toSorted())
    .toSorted((a, b) => b.length - a.length || ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1));
  return { files, imports, importedBy, cycles, layers: layersOf(groups, imports) };
}

/** The components are in reverse topological order, so one pass is enough. All files of a cycle share a layer. */
function layersOf(
  groups: readonly (readonly string[])[],
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, number> {
  const layers = new Map<string, number>();
  for (const group of groups) {
    const inside = new Set(group);
    const below = group
      .flatMap((file) => [...(imports.get(file) ?? [])])
      .filter((file) => !inside.has(file))
      .map((file) => (layers.get(file) ?? 0) + 1);
    const layer = below.reduce((highest, one) => Math.max(highest, one), 0);
    for (const file of group) layers.set(file, layer);
  }
  return layers;
}
