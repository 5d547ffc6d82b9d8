/** The lanes of an index that is being published: read as the file of the earlier commit, updated by the pass, and packed again. */

import { join } from "node:path";
import type { Log } from "../../common/log.ts";
import { inSlices } from "../../common/slices.ts";
import type { LaneWriter } from "../../contracts/lanes.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { IndexStore } from "../../contracts/store.ts";
import { categorizer } from "../../languages/categories.ts";
import { createMemoryLanes, unpackMemoryLanes } from "../../search/lanes/memory-lanes.ts";
import { LanesFiles } from "../indexes/lanes-files.ts";
import { loadLanes } from "../indexes/load-lanes.ts";
import { MAX_PUBLISHED_CHUNKS } from "../indexes/published-indexes.ts";

/** Chunks per write: this process does not search the lanes. */
const CHUNKS_AT_ONCE = 1_000;

interface PackedLanes extends LaneWriter {
  /** The parts of the file for the present rows. None if members do not search an index of this size in memory. */
  pack(): AsyncGenerator<Uint8Array>;
}

interface Packing {
  readonly store: IndexStore;
  /** The chunks of the earlier commit, and the parts of its file. */
  readonly chunks: number;
  readonly packed: AsyncIterable<Uint8Array>;
  readonly settings: Settings;
}

/** `folder` is for a file, which is deleted. Lanes of another build, or of damaged parts, are made again from the rows. */
export async function openPackedLanes(
  { store, chunks, packed, settings }: Packing,
  { folder, build, log }: { readonly folder: string; readonly build: string; readonly log: Log },
): Promise<PackedLanes> {
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
    const openSqlLanes = () => Promise.reject(new Error("a publish has no lanes in SQL"));
    const deps = { createLanes, openSqlLanes, lanesFiles, log };
    const own = { ...store, laneRows: undefined };
    return (await loadLanes(deps, { store: own, settings }, () => 0)).lanes;
  };
  /** Undefined once the index is too large. */
  let lanes = chunks > MAX_PUBLISHED_CHUNKS ? undefined : await open();
  return {
    chunksAtOnce: CHUNKS_AT_ONCE,
    replace: async (paths, added) => {
      await lanes?.replace(paths, added);
      if (lanes !== undefined && lanes.size > MAX_PUBLISHED_CHUNKS) lanes = undefined;
    },
    setVectors: async (vectors) => await lanes?.setVectors(vectors),
    makeRoom: function* (count) {
      yield* lanes?.makeRoom(count) ?? [];
    },
    tidy: function* () {
      yield* lanes?.tidy() ?? [];
    },
    refreshStatistics: async () => await lanes?.refreshStatistics(),
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
