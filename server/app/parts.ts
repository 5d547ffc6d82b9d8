/** What the sessions of one engine share. */

import type { Table } from "../embedding/table.ts";
import type { LaneRows } from "../lane-rows.ts";
import type { Log } from "../log.ts";
import type { LiveLanes } from "../ports.ts";
import type { Manners } from "./manners.ts";
import type { Preparers } from "./preparer.ts";
import type { Stores } from "./stores.ts";

export interface Parts {
  readonly log: Log;
  readonly stores: Stores;
  readonly preparers: Preparers;
  readonly table: Table;
  readonly manners: Manners;
  createLanes(): LiveLanes;
  /** Lanes that stay in the database; `dimension` is that of the index's vectors. */
  openSqlLanes(rows: LaneRows, dimension: () => number): Promise<LiveLanes>;
  /** Tells every user, in a sentence, that stored data was given up. */
  notify(notice: string): void;
}
