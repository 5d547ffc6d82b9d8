/** Whether an index's tables still belong together: to Postgres a page that was lost is an empty one, and no error. */

import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

/** `chunks` were read just now. Counting them again costs a look at every page, and is done only where they are not as many as were stored. */
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
  // Another engine may have written meanwhile; one statement sees one moment. A column, so that no index answers.
  const [now] = await database.query<{ isRight: boolean }>(
    `select ${stored} = (select count(content_hash) from ${tables.chunks}) as "isRight"`,
  );
  return now?.isRight === true;
}

/** Makes a table's primary key anew from the rows that there are. */
export async function rebuildVectorKey(tx: Queryable, table: string): Promise<void> {
  const [key] = await tx.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where indrelid = $1::regclass and indisprimary`,
    [table],
  );
  if (key !== undefined) await tx.query(`reindex index ${key.name}`);
}
