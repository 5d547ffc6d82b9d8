/** What the sessions of one engine share. */

import type { Table } from "../embedding/table.ts";
import type { Log } from "../log.ts";
import type { LiveLanes, Preparer } from "../ports.ts";
import type { Stores } from "./stores.ts";

export interface Parts {
  readonly log: Log;
  readonly stores: Stores;
  readonly preparer: Preparer;
  readonly table: Table;
  createLanes(): LiveLanes;
}
