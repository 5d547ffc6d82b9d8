/** The history of one index, over either database. */

import type { HistoryStore } from "../contracts/history.ts";
import {
  clearHistory,
  createHistoryTables,
  readChangeRows,
  readCommitRows,
  readLaneRows,
  readMark,
  readShas,
  replaceCommits,
  writeMark,
} from "./commits.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

/** `read` and `write` are those of the index: they tell a table that is gone, and whose turn it is. */
interface Access {
  read<T>(run: () => Promise<T>): Promise<T>;
  write<T>(run: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Called when a reading begins and ends. */
  settled(): void;
}

export function createHistoryStore(
  database: Queryable,
  tables: Tables,
  { read, write, settled }: Access,
): HistoryStore {
  return {
    open: () => write((tx) => createHistoryTables(tx, tables)),
    mark: () => read(() => readMark(database, tables)),
    setMark: async (mark) => {
      await write((tx) => writeMark(tx, tables, mark));
      settled();
    },
    shas: () => read(() => readShas(database, tables)),
    commit: (added, removed) => write((tx) => replaceCommits(tx, tables, added, removed)),
    laneRows: () => readLaneRows(database, tables),
    changeRows: () => readChangeRows(database, tables),
    commits: (shas) => read(() => readCommitRows(database, tables, shas)),
    clear: () => write((tx) => clearHistory(tx, tables)),
  };
}
