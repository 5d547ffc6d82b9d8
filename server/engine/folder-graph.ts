/** The graph of an opened folder: that of its index, or the part of it that is in the folder. */

import { Unavailable } from "../common/errors.ts";
import type { ExportedEdges } from "../contracts/graph-requests.ts";
import { exportEdges } from "../graph/export.ts";
import type { Graph } from "../graph/graph.ts";
import type { Folder } from "./folder.ts";

/** Unavailable until what is stored has been read. */
function graphOf({ root, index }: Folder): Graph {
  const graph = index.graph?.graph;
  if (graph !== undefined) return graph;
  throw new Unavailable(`the graph of ${root} is not read yet`, "ask again in a moment");
}

/** A path of the index as the folder names it; undefined for one outside. */
function pathsIn({ part }: Folder): (path: string) => string | undefined {
  if (part === undefined) return (path) => path;
  const prefix = `${part}/`;
  return (path) => (path.startsWith(prefix) ? path.slice(prefix.length) : undefined);
}

export function exportFolderGraph(folder: Folder, start: number): ExportedEdges {
  return exportEdges(graphOf(folder), start, pathsIn(folder));
}
