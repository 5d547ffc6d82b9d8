/** Implements the store of one index's commits, for either database. */

import type { HistoryStore } from "../contracts/history.ts";
import {
  clearHistory,
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
import { openHistory } from "./seed.ts";

/** `read` and `write` come from the index: `read` reports a dropped index, `write` locks the index for a transaction. */
interface Access {
  read<T>(run: () => Promise<T>): Promise<T>;
  write<T>(run: (tx: Queryable) => Promise<T>): Promise<T>;
  /** The index whose commits new tables begin with. */
  readonly from: Tables | undefined;
  /** Called after the mark was set, when a run over the commits begins and ends. */
  markChanged(): void;
}

export function createHistoryStore(
  database: Queryable,
  tables: Tables,
  { read, write, from, markChanged }: Access,
): HistoryStore {
  return {
    open: () => write((tx) => openHistory(tx, tables, from)),
    mark: () => read(() => readMark(database, tables)),
    setMark: async (mark) => {
      await write((tx) => writeMark(tx, tables, mark));
      markChanged();
    },
    shas: () => read(() => readShas(database, tables)),
    commit: (added, removed) => write((tx) => replaceCommits(tx, tables, added, removed)),
    laneRows: () => readLaneRows(database, tables),
    changeRows: () => readChangeRows(database, tables),
    commits: (shas) => read(() => readCommitRows(database, tables, shas)),
    clear: () => write((tx) => clearHistory(tx, tables)),
  };
}
