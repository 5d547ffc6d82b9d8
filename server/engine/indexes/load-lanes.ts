/** Opens the lanes of a stored index: in memory, or in SQL for an index too large for memory. */

import { createPause } from "../../common/slices.ts";
import type { LiveLanes } from "../../contracts/lanes.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { IndexStore } from "../../contracts/store.ts";
import { needsSubstitutes } from "../../search/lanes/substitutes.ts";
import { loadThesaurus } from "../../search/thesaurus/thesaurus.ts";
import type { IndexDeps } from "./index-deps.ts";
import type { FoundSeed } from "./seed-index.ts";

/** Lanes of larger indexes stay in the database: this many chunks take about a gigabyte in memory. */
export const MAX_CHUNKS_IN_MEMORY = 300_000;

export interface Loaded {
  readonly lanes: LiveLanes;
  /** Whether some loaded chunks have no vector. */
  readonly lacksVectors: boolean;
  /** Whether the lanes came from a snapshot file, so that no chunk was read. */
  readonly wereReady: boolean;
}

interface LanesRequest {
  readonly store: IndexStore;
  readonly settings: Settings;
  /** The rows of another index that a new one began with. */
  readonly seed?: FoundSeed | undefined;
}

/** `dimension`: the dimension of the index's vectors, 0 if unknown. */
export async function loadLanes(
  deps: Pick<IndexDeps, "createLanes" | "openSqlLanes" | "lanesFiles" | "log">,
  { store, settings, seed }: LanesRequest,
  dimension: () => number,
): Promise<Loaded> {
  // 50 ms of processor time, which the first question would wait for; it reports what fails here.
  void loadThesaurus().catch(() => undefined);
  const { laneRows } = store;
  const mode = settings["search.lanes"];
  if (mode === "sql" && laneRows === undefined) {
    deps.log.warn("SQL lanes need an external Postgres (database.url)", {
      index: store.name,
    });
  }
  if (laneRows !== undefined && (mode === "sql" || (mode === "auto" && (await isLarge(store))))) {
    const sqlLanes = await deps.openSqlLanes(laneRows, dimension);
    return { lanes: sqlLanes, lacksVectors: false, wereReady: false };
  }
  const substitute = await lacksModel(settings, store);
  if (substitute) deps.lanesFiles.forgetEarly(store.name);
  const ready = substitute ? undefined : await readReady(deps, { store, seed });
  if (ready !== undefined) return ready;
  const lanes = deps.createLanes({ substitute });
  const pause = createPause();
  let lacksVectors = false;
  for await (const page of store.chunks()) {
    lacksVectors ||= page.some(({ vector }) => vector === undefined);
    for (let from = 0; from < page.length; from += lanes.chunksAtOnce) {
      await lanes.replace([], page.slice(from, from + lanes.chunksAtOnce));
      await pause();
    }
  }
  return { lanes, lacksVectors, wereReady: false };
}

/** Lanes from a snapshot, or from that of another worktree. */
async function readReady(
  deps: Pick<IndexDeps, "lanesFiles" | "log">,
  { store, seed }: Pick<LanesRequest, "store" | "seed">,
): Promise<Loaded | undefined> {
  const ready = await deps.lanesFiles.read(store);
  if (ready !== undefined) return { lanes: ready, lacksVectors: false, wereReady: true };
  if (seed === undefined) return undefined;
  const start = performance.now();
  const from = seed.store.name;
  const begun = await deps.lanesFiles.begin(store, seed);
  if (begun === undefined) {
    deps.log.info("lanes of another worktree cannot be taken over", { from });
    return undefined;
  }
  const { lanes, removed, added } = begun;
  const counts = { without: removed.length, added: added.length };
  const ms = Math.round(performance.now() - start);
  deps.log.info("lanes of another worktree are taken over", { from, ...counts, ms });
  // Some chunks may have had no vector there; embedding finds them in the store.
  return { lanes, lacksVectors: false, wereReady: false };
}

/** Whether substitutes are needed. They are made from the texts, which a snapshot lacks. */
async function lacksModel(settings: Settings, store: IndexStore): Promise<boolean> {
  if (settings["embedding.provider"] === "builtin") return false;
  const { chunks, pending } = await store.counts();
  return needsSubstitutes({ chunks, missing: pending });
}

async function isLarge(store: IndexStore): Promise<boolean> {
  return (await store.counts()).chunks > MAX_CHUNKS_IN_MEMORY;
}
