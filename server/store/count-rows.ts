/** How much is stored of an index. */

import type { IndexCounts } from "../contracts/store.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

type Row = Record<"files" | "chunks" | "vectors" | "bytes" | "secrets", string>;

export async function countRows(database: Queryable, tables: Tables): Promise<IndexCounts> {
  const [row] = await database.query<Row>(
    `select (select count(*) from ${tables.files}) as files,
       (select count(*) from ${tables.chunks}) as chunks,
       (select count(*) from ${tables.vectors}) as vectors,
       (select sum(secrets) from ${tables.files}) as secrets,
       pg_total_relation_size($1) + pg_total_relation_size($2) + pg_total_relation_size($3)
         + pg_total_relation_size($4) as bytes`,
    [tables.files, tables.chunks, tables.vectors, tables.parseResults],
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
