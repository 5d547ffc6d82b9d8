/** Opens the lanes of a stored index: in memory, or in SQL for an index that does not fit. */

import type { Settings } from "../config.ts";
import type { IndexStore, LiveLanes } from "../ports.ts";
import type { Parts } from "./parts.ts";

/** Chunks from which on lanes stay in the database: in memory so many take about a gigabyte. */
const MOST_IN_MEMORY = 300_000;

/** `dimension` is that of the index's vectors, 0 while it is not known. */
export async function loadLanes(
  parts: Pick<Parts, "createLanes" | "openSqlLanes" | "log">,
  store: IndexStore,
  settings: Settings,
  dimension: () => number,
): Promise<LiveLanes> {
  const { laneRows } = store;
  const wanted = settings["search.lanes"];
  if (wanted === "sql" && laneRows === undefined) {
    parts.log.warn("lanes in SQL need a Postgres of your own, see database.url", {
      index: store.name,
    });
  }
  if (
    laneRows !== undefined &&
    (wanted === "sql" || (wanted === "auto" && (await isLarge(store))))
  ) {
    return await parts.openSqlLanes(laneRows, dimension);
  }
  const lanes = parts.createLanes();
  for await (const page of store.chunks()) await lanes.replace([], page);
  return lanes;
}

async function isLarge(store: IndexStore): Promise<boolean> {
  return (await store.counts()).chunks > MOST_IN_MEMORY;
}
