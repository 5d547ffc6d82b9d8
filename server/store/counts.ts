/** Counts the rows of an index and checks its integrity. */

import type { IndexCounts } from "../contracts/store.ts";
import { texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

function tablesOfFiles(tables: Tables): string[] {
  const { files, chunks, vectors, parseResults, exclusions, tracking, dependencies } = tables;
  return [files, chunks, vectors, parseResults, exclusions, tracking, dependencies];
}

/** Includes optional tables, which exist only if a feature is used. */
function allTables(tables: Tables): string[] {
  const { lanes, history, borrower, kept } = tables;
  const optional = [history, kept, borrower].flatMap((each) => Object.values({ ...each }));
  const where = [lanes.chunks, lanes.names, lanes.terms, ...optional];
  return [...tablesOfFiles(tables), ...where];
}

type CountRow = Record<"files" | "chunks" | "vectors" | "bytes" | "secrets", string>;

export async function countRows(database: Queryable, tables: Tables): Promise<IndexCounts> {
  const [row] = await database.query<CountRow>(
    `select count(*) as files, sum(chunks) as chunks, sum(secrets) as secrets,
       (select count(*) from ${tables.vectors}) as vectors,
       (select sum(pg_total_relation_size(to_regclass(name)))
        from unnest($1::text[]) as name) as bytes
     from ${tables.files}`,
    [texts(allTables(tables))],
  );
  const chunks = Number(row?.chunks ?? 0);
  return {
    files: Number(row?.files ?? 0),
    chunks,
    pending: chunks - Number(row?.vectors ?? 0),
    secrets: Number(row?.secrets ?? 0),
    bytes: Number(row?.bytes ?? 0),
  };
}

/** Whether the mandatory tables of an index exist. */
export async function hasTables(database: Queryable, tables: Tables): Promise<boolean> {
  const [row] = await database.query<{ isRight: boolean }>(
    `select bool_and(to_regclass(name) is not null) as "isRight" from unnest($1::text[]) as name`,
    [texts(tablesOfFiles(tables))],
  );
  return row?.isRight === true;
}

/** `chunks` is the number of chunks that the caller has read. Only if it is not the stored number, chunks are counted again, with a full scan. */
export async function checkIntegrity(
  database: Queryable,
  tables: Tables,
  chunks: number,
): Promise<boolean> {
  const stored = `(select coalesce(sum(chunks), 0) from ${tables.files})`;
  const [sum] = await database.query<{ isRight: boolean }>(
    `select ${stored} = $1::int as "isRight"`,
    [chunks],
  );
  if (sum?.isRight === true) return true;
  // Another engine may have written meanwhile, so one statement reads both. Counting a column forces a scan of the table.
  const [now] = await database.query<{ isRight: boolean }>(
    `select ${stored} = (select count(content_hash) from ${tables.chunks}) as "isRight"`,
  );
  return now?.isRight === true;
}

/** Also scans the primary keys, because counting rows does not detect a damaged page of an index. */
export async function checkAll(database: Queryable, tables: Tables): Promise<boolean> {
  const { chunks, vectors, files } = tables;
  const keysOf = (table: string) =>
    `(select count(*) from (select filename from ${table} order by filename, location offset 0) as keys)`;
  const [row] = await database.query<{ isRight: boolean }>(
    `select (select coalesce(sum(chunks), 0) from ${files}) = all (array[
       (select count(content_hash) from ${chunks}), ${keysOf(chunks)},
       (select count(embedding) from ${vectors}), ${keysOf(vectors)}]) as "isRight"`,
  );
  return row?.isRight === true;
}
