/** Dependencies shared by the indexes of one engine. */

import type { Log } from "../../common/log.ts";
import type { PackedArrays } from "../../common/packed/packed-arrays.ts";
import type { LaneRows, ReadLanes } from "../../contracts/lane-rows.ts";
import type { LiveLanes } from "../../contracts/lanes.ts";
import type { LocalModels } from "../../contracts/local-models.ts";
import type { EmbeddingModel } from "../../embedding/embedding-model.ts";
import type { IndexingThrottle } from "../threads/indexing-throttle.ts";
import type { Preparers } from "../threads/worker-pool.ts";
import type { LanesFiles } from "./lanes-files.ts";
import type { StateFiles } from "./state-files.ts";
import type { Stores } from "./stores.ts";
import type { Teams } from "./teams.ts";

export interface IndexDeps {
  readonly log: Log;
  /** The folder of the built-in database; the user's other data is beside it. */
  readonly data: string;
  /** Distinguishes builds of this program. */
  readonly build: string;
  readonly stores: Stores;
  readonly teams: Teams;
  readonly preparers: Preparers;
  readonly model: EmbeddingModel;
  readonly localModels: LocalModels;
  readonly throttle: IndexingThrottle;
  /** With `substitute`, the built-in model answers until the index has the vectors of its own model. */
  createLanes(options?: { readonly substitute?: boolean }): LiveLanes;
  readonly lanesFiles: LanesFiles;
  /** The lanes of published indexes. */
  readonly publishedFiles: LanesFiles;
  /** Resolved edges of graphs. */
  readonly edgesFiles: StateFiles<PackedArrays>;
  /** Creates lanes that stay in the database; `dimension` is the dimension of the index's vectors. */
  openSqlLanes(rows: LaneRows, dimension: () => number): Promise<LiveLanes>;
  /** The same for rows that another program writes. */
  readSqlLanes(rows: LaneRows, dimension: () => number): Promise<ReadLanes>;
  /** Whether files of any index are being read; background work starts later then. */
  isIndexing(): boolean;
  /** Whether the index of a folder is in memory, for sessions or for a while after them. */
  isOpen(root: string): boolean;
  /** The open index of a folder in the built-in database, if all of its lanes are committed. */
  committedAt(root: string): { saveLanes(): Promise<void> } | undefined;
  /** Notifies every user that stored data was dropped. */
  notify(notice: string): void;
  /** Called when a folder's settings file may have changed. */
  settingsTouched(root: string): void;
}
