/** The rows by which lanes rank in SQL, of one index: the port's methods, each in a file beside this one. */

import type { LaneRows } from "../../contracts/lane-rows.ts";
import type { Database } from "../database.ts";
import type { Tables } from "../names.ts";
import { findByTerms } from "./by-terms.ts";
import { buildGraph } from "./graph.ts";
import { createLaneTables, dropStaleRows } from "./lane-tables.ts";
import { findDefining, findNames, readNames } from "./names.ts";
import { findNearest } from "./nearest.ts";
import { readChunksOf, readChunksWithoutRows, readFacts } from "./read-facts.ts";
import { measureTerms, readStatistics } from "./term-statistics.ts";
import { writeRows } from "./write-rows.ts";

export function createLaneRows(database: Database, tables: Tables): LaneRows {
  const { lanes } = tables;
  return {
    open: () =>
      database.transaction(async (tx) => {
        await createLaneTables(tx, tables);
        await dropStaleRows(tx, tables);
      }),
    chunksWithoutRows: (limit) => readChunksWithoutRows(database, tables, limit),
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
    names: (wanted, limit) => findNames(database, lanes, wanted, limit),
    allNames: (length) => readNames(database, lanes, length),
    defining: (names, filter) => findDefining(database, lanes, names, filter),
    facts: (chunks) => readFacts(database, tables, chunks),
    chunksOf: (paths) => readChunksOf(database, tables, paths),
  };
}
