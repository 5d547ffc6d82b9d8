/**
 * The lanes of an index that is being published: read as the file of the earlier commit, updated by the pass, and packed again. Those
 * of an index that is too large for the memory of members are written as rows instead.
 */

import { join } from "node:path";
import type { Log } from "../../common/log.ts";
import { inSlices } from "../../common/slices.ts";
import type { LaneWriter } from "../../contracts/lanes.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { IndexStore } from "../../contracts/store.ts";
import { categorizer } from "../../languages/categories.ts";
import { createMemoryLanes, unpackMemoryLanes } from "../../search/lanes/memory-lanes.ts";
import { writeSqlLanes } from "../../search/lanes/sql-lanes.ts";
import { LanesFiles } from "../indexes/lanes-files.ts";
import { loadLanes, MAX_CHUNKS_IN_MEMORY } from "../indexes/load-lanes.ts";

/** Chunks per write: this process does not search the lanes. */
const CHUNKS_AT_ONCE = 1_000;

interface PublishedLanes extends LaneWriter {
  /** Writes the rows of the lanes, if members search an index of this size in SQL. Called after the pass. */
  writeRows(): Promise<void>;
  /** The parts of the file for the present rows. None if there are rows of the lanes. */
  pack(): AsyncGenerator<Uint8Array>;
}

interface Publishing {
  readonly store: IndexStore;
  /** The chunks of the earlier commit, and the parts of its file. */
  readonly chunks: number;
  readonly packed: AsyncIterable<Uint8Array>;
  readonly settings: Settings;
  /** The chunks of the largest index that is searched in memory. */
  readonly mostInMemory?: number | undefined;
}

/** `folder` is for a file, which is deleted. Lanes of another build, or of damaged parts, are made again from the rows. */
export async function openPublishedLanes(
  { store, chunks, packed, settings, mostInMemory = MAX_CHUNKS_IN_MEMORY }: Publishing,
  { folder, build, log }: { readonly folder: string; readonly build: string; readonly log: Log },
): Promise<PublishedLanes> {
  const lanesFiles = new LanesFiles({
    kind: "published",
    data: join(folder, "publishing", "data"),
    build,
    log,
    unpack: (arrays) => inSlices(unpackMemoryLanes({ categorizer }, arrays)),
  });
  const createLanes = () => createMemoryLanes({ categorizer });
  const open = async () => {
    await lanesFiles.receive(store, packed);
    const openSqlLanes = () => Promise.reject(new Error("these lanes are in memory"));
    const deps = { createLanes, openSqlLanes, lanesFiles, log };
    const own = { ...store, laneRows: undefined };
    return (await loadLanes(deps, { store: own, settings }, () => 0)).lanes;
  };
  /** Undefined once the index is too large. */
  let lanes = chunks > mostInMemory ? undefined : await open();
  const changed = new Set<string>();
  return {
    chunksAtOnce: CHUNKS_AT_ONCE,
    replace: async (paths, added) => {
      for (const path of paths) changed.add(path);
      await lanes?.replace(paths, added);
      if (lanes !== undefined && lanes.size > mostInMemory) lanes = undefined;
    },
    setVectors: async (vectors) => await lanes?.setVectors(vectors),
    makeRoom: function* (count) {
      yield* lanes?.makeRoom(count) ?? [];
    },
    tidy: function* () {
      yield* lanes?.tidy() ?? [];
    },
    refreshStatistics: async () => await lanes?.refreshStatistics(),
    writeRows: async () => {
      const { laneRows } = store;
      if (lanes !== undefined || laneRows === undefined) return;
      await writeSqlLanes(laneRows, [...changed], (await store.record()).dimension);
    },
    pack: async function* () {
      if (lanes === undefined) return;
      await inSlices(lanes.tidy());
      try {
        if (await lanesFiles.write(store, lanes, () => true)) yield* lanesFiles.parts(store.name);
      } finally {
        await lanesFiles.remove(store.name);
      }
    },
  };
}
