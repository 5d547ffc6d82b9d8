/** Opens the lanes of a stored index: in memory, or in SQL for an index that does not fit. */

import type { Settings } from "../config/settings.ts";
import type { LiveLanes } from "../contracts/lanes.ts";
import type { IndexStore } from "../contracts/store.ts";
import type { IndexDeps } from "./index-deps.ts";

/** Chunks from which on lanes stay in the database: in memory so many take about a gigabyte. */
const MOST_IN_MEMORY = 300_000;

export interface Loaded {
  readonly lanes: LiveLanes;
  /** Whether chunks without a vector were among those that were read. */
  readonly lacksVectors: boolean;
}

/** `dimension` is that of the index's vectors, 0 while it is not known. */
export async function loadLanes(
  deps: Pick<IndexDeps, "createLanes" | "openSqlLanes" | "log">,
  store: IndexStore,
  settings: Settings,
  dimension: () => number,
): Promise<Loaded> {
  const { laneRows } = store;
  const wanted = settings["search.lanes"];
  if (wanted === "sql" && laneRows === undefined) {
    deps.log.warn("lanes in SQL need a Postgres of your own, see database.url", {
      index: store.name,
    });
  }
  if (
    laneRows !== undefined &&
    (wanted === "sql" || (wanted === "auto" && (await isLarge(store))))
  ) {
    return { lanes: await deps.openSqlLanes(laneRows, dimension), lacksVectors: false };
  }
  const lanes = deps.createLanes();
  let lacksVectors = false;
  for await (const page of store.chunks()) {
    lacksVectors ||= page.some(({ vector }) => vector === undefined);
    await lanes.replace([], page);
  }
  return { lanes, lacksVectors };
}

async function isLarge(store: IndexStore): Promise<boolean> {
  return (await store.counts()).chunks > MOST_IN_MEMORY;
}
