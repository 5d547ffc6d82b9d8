/** The inputs of context packing: the read path over a session's targets, and their graphs as far as they are resolved. */

import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../../common/errors.ts";
import { getOrCreate } from "../../common/get-or-create.ts";
import { createPause } from "../../common/slices.ts";
import type { CodePlace, ContextSources, Neighbor } from "../../context/sources.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import { neighborsOf } from "../../graph/answers/neighbors.ts";
import type { Graph } from "../../graph/graph.ts";
import type { SearchContext } from "../../search/context.ts";
import { searchPlaces } from "../../search/search.ts";
import { Folder } from "./folder.ts";
import { pathsIn } from "./folder-graph.ts";
import type { SearchTargets } from "./search-targets.ts";

/** A resolved graph answers within this; an unresolved one is resolved for the next request. */
const GRAPH_TIMEOUT_MS = 30;

export function contextSources(
  context: SearchContext,
  targets: SearchTargets,
  signal?: AbortSignal,
): ContextSources {
  return {
    search: (request) => searchPlaces(context, request, signal),
    readLines: context.readLines,
    definitions: async (root, path) => {
      const index = context.indexes.find((each) => each.root === root);
      const lanes = await index?.lanes();
      const found = (await lanes?.definitionsIn([path]))?.get(path);
      return found === undefined ? [] : inSourceOrder(found);
    },
    neighbors: async function* (places) {
      const pause = createPause(async () => signal?.throwIfAborted());
      try {
        for (const place of places) yield* neighborsAt(targets, place, pause);
      } catch (error) {
        signal?.throwIfAborted();
        context.log.warn("graph neighbors were not added", { reason: messageOf(error) });
      }
    },
  };
}

/** Cache by identity: the lanes return the same list until the file changes. */
const ordered = new WeakMap<readonly CodeSymbol[], readonly CodeSymbol[]>();

/** By line; of several definitions on one line, the last. Names of variables would cost tokens, and hits show them anyway. */
function inSourceOrder(definitions: readonly CodeSymbol[]): readonly CodeSymbol[] {
  return getOrCreate(ordered, definitions, () => {
    const blocks = definitions.filter(({ type }) => type !== "variable");
    const byLine = new Map(blocks.map((symbol) => [symbol.nameLine, symbol]));
    return [...byLine.values()].toSorted((a, b) => a.nameLine - b.nameLine);
  });
}

async function* neighborsAt(
  { indexes }: SearchTargets,
  place: CodePlace,
  pause: () => Promise<void>,
): AsyncGenerator<Neighbor, void> {
  const folder = indexes.find(({ root }) => root === place.root);
  const graph = folder instanceof Folder ? await graphInTime(folder) : undefined;
  if (!(folder instanceof Folder) || graph === undefined) return;
  const inIndex = folder.part === undefined ? place.path : `${folder.part}/${place.path}`;
  const file = graph.project.find(inIndex);
  if (file === undefined) return;
  const shownPath = pathsIn(folder);
  for (const ref of neighborsOf(graph, file, place.lines)) {
    const path = shownPath(graph.project.path(ref.file));
    const definition = graph.project.definition(ref);
    // Finding each neighbor resolves some calls.
    await pause();
    if (path === undefined || definition === undefined) continue;
    yield { root: folder.root, path, line: definition.line };
  }
}

async function graphInTime({ index }: Folder): Promise<Graph | undefined> {
  return await Promise.race([
    index.graph?.whenResolved(),
    delay(GRAPH_TIMEOUT_MS, undefined, { ref: false }),
  ]);
}
