/** Maintenance after a pass: vacuums the database while the engine's thread resolves imports and stores their edges. */

import type { YieldToForeground } from "../../common/slices.ts";
import type { IndexStore, Store } from "../../contracts/store.ts";
import type { IndexGraph } from "../../graph/live-graph.ts";
import type { Workspace } from "../../indexing/workspace.ts";
import type { IndexDeps } from "./index-deps.ts";

/** Fewer changes do not make a vacuum worth its cost. */
const VACUUM_AFTER_CHANGES = 200;

interface Maintained extends Pick<IndexDeps, "preparers" | "throttle"> {
  readonly database: Store;
  readonly store: IndexStore;
  readonly graph: IndexGraph;
  readonly workspace: Workspace;
}

/** `changed` is the number of files that the pass changed or removed. */
export async function maintain(
  { database, store, graph, workspace, preparers, throttle }: Maintained,
  changed: number,
  signal: AbortSignal,
): Promise<void> {
  const isUrgent = () => workspace.hasWork || signal.aborted;
  const vacuum = async () => {
    if (changed < VACUUM_AFTER_CHANGES) return;
    await preparers.restBackground();
    await throttle.whenQuiet(isUrgent);
    if (!signal.aborted) await database.vacuum();
  };
  const storing = () => storeEdges(graph, store, () => throttle.rest(isUrgent));
  const ended = await Promise.allSettled([vacuum(), storing()]);
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}

/** Stores the changed import edges of a pass; after a failure, the next pass stores them. */
async function storeEdges(
  graph: IndexGraph,
  store: IndexStore,
  yieldToForeground: YieldToForeground,
): Promise<void> {
  try {
    const changed = await graph.takeChangedEdges(yieldToForeground);
    if (changed.length > 0) await store.setDependencies(changed);
  } catch (error) {
    graph.markUnstored();
    throw error;
  }
}
