/** What the indexes of one engine share. */

import type { Log } from "../../common/log.ts";
import type { PackedArrays } from "../../common/packed/packed-arrays.ts";
import type { Scratch } from "../../contracts/graph.ts";
import type { LaneRows } from "../../contracts/lane-rows.ts";
import type { LiveLanes } from "../../contracts/lanes.ts";
import type { EmbeddingModel } from "../../embedding/embedding-model.ts";
import type { IndexingThrottle } from "../threads/indexing-throttle.ts";
import type { Preparers } from "../threads/worker-pool.ts";
import type { StateFiles } from "./state-files.ts";
import type { Stores } from "./stores.ts";

export interface IndexDeps {
  readonly log: Log;
  /** The folder of the built-in database; the user's other data is beside it. */
  readonly data: string;
  /** Tells builds of this program apart. */
  readonly build: string;
  readonly stores: Stores;
  readonly preparers: Preparers;
  readonly model: EmbeddingModel;
  readonly throttle: IndexingThrottle;
  createLanes(): LiveLanes;
  readonly lanesFiles: StateFiles<LiveLanes>;
  /** Edges of graphs that were resolved. */
  readonly edgesFiles: StateFiles<PackedArrays>;
  createScratch(): Scratch;
  /** Lanes that stay in the database; `dimension` is that of the index's vectors. */
  openSqlLanes(rows: LaneRows, dimension: () => number): Promise<LiveLanes>;
  /** Whether files of any index are being read: what nobody waits for begins later. */
  isIndexing(): boolean;
  /** Tells every user, in a sentence, that stored data was given up. */
  notify(notice: string): void;
  /** What the settings file of a folder says may be new. */
  settingsTouched(root: string): void;
}
