/** Implements the rows of the SQL lanes for one index. */

import type { LaneRows } from "../../contracts/lane-rows.ts";
import type { Database } from "../database.ts";
import type { Tables } from "../names.ts";
import {
  dropStaleRows,
  readChunksWithoutRows,
  readLaneChunksOf,
  readLaneFacts,
  writeRows,
} from "./lane-chunks.ts";
import { findDefining, findStoredNames, readNames } from "./lane-names.ts";
import { createLaneTables, laneTablesOf } from "./lane-tables.ts";
import { findByTerms, findWithTerms, measureTerms, readStatistics } from "./lane-terms.ts";
import { buildGraph, findNearest } from "./lane-vectors.ts";

export function createLaneRows(database: Database, tables: Tables): LaneRows {
  const { lanes } = tables;
  return {
    until: (signal) => createLaneRows(database.until?.(signal) ?? database, tables),
    open: () =>
      database.transaction(async (tx) => {
        await createLaneTables(tx, tables);
        await dropStaleRows(tx, tables);
      }),
    chunksWithoutRows: (limit, after) => readChunksWithoutRows(database, tables, limit, after),
    areCurrent: async () => (await laneTablesOf(database, lanes)) === "current",
    replace: (paths, rows) => database.transaction((tx) => writeRows(tx, tables, paths, rows)),
    measure: () => database.transaction((tx) => measureTerms(tx, lanes)),
    statistics: () => readStatistics(database, lanes),
    buildGraph: (dimension) => buildGraph(database, tables, dimension),
    files: async () => {
      const rows = await database.query<{ path: string; language: string }>(
        `select path, language from ${tables.files}`,
      );
      return new Map(rows.map(({ path, language }) => [path, language]));
    },
    nearest: (question) => findNearest(database, tables, question),
    byTerms: (question) => findByTerms(database, lanes, question),
    withTerms: (terms, filter, limit) => findWithTerms(database, lanes, terms, filter, limit),
    names: (wanted, limit) => findStoredNames(database, lanes, wanted, limit),
    allNames: (length) => readNames(database, lanes, length),
    defining: (names, filter) => findDefining(database, lanes, names, filter),
    facts: (chunks) => readLaneFacts(database, tables, chunks),
    chunksOf: (paths) => readLaneChunksOf(database, tables, paths),
  };
}
