/** The composition root of the engine: the only file that knows every part, and joins them. */

import { IndexPool } from "./app/index-pool.ts";
import { Manners } from "./app/manners.ts";
import { createPreparers } from "./app/preparer.ts";
import { createSearching } from "./app/searching.ts";
import { AppSession } from "./app/session.ts";
import { createStores } from "./app/stores.ts";
import { loadTable } from "./embedding/table.ts";
import { categorize } from "./languages/categories.ts";
import type { Log } from "./log.ts";
import { createMemoryLanes } from "./search/memory-lanes.ts";
import { openSqlLanes } from "./search/sql-lanes.ts";
import type { Session } from "./session.ts";

export interface AppOptions {
  /** The folder of the built-in database; whoever calls holds the lock on it. */
  readonly data: string;
  readonly logFile: string;
  readonly log: Log;
  readonly version: string;
  /** Worker threads; 0 chooses by the processor. */
  readonly workers: number;
}

export interface App {
  session(): Session;
  close(): Promise<void>;
}

export function createApp({ data, logFile, log, version, workers }: AppOptions): App {
  const table = loadTable();
  const preparers = createPreparers(workers, { table }, log);
  const sessions = new Set<AppSession>();
  const notify = (notice: string) => {
    for (const session of sessions) session.notice(notice);
  };
  const stores = createStores(data, log, (notice) => {
    notify(notice);
    pool.restartEmbedded();
  });
  const manners = new Manners();
  const pool = new IndexPool({
    log,
    stores,
    preparers,
    table,
    manners,
    notify,
    createLanes: () => createMemoryLanes({ categoryOf: categorize }),
    openSqlLanes: (rows, dimension) => openSqlLanes({ rows, dimension, categoryOf: categorize }),
  });
  const searching = createSearching(log);
  const facts = {
    version,
    startedAt: new Date().toISOString(),
    log: logFile,
    clients: () => sessions.size,
    clientsOf: (root: string) => [...sessions].filter((session) => session.hasOpen(root)).length,
  };
  pool.onChange((index) => {
    for (const session of sessions) session.indexChanged(index);
  });
  return {
    session: () => {
      const ended = (session: AppSession) => sessions.delete(session);
      const parts = { pool, preparers, stores, searching, manners, facts, log, ended };
      const session = new AppSession(parts);
      sessions.add(session);
      return session;
    },
    close: async () => {
      await pool.close();
      await preparers.close();
      await stores.close();
    },
  };
}
