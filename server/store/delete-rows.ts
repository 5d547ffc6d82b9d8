/** Deletes the rows of a table that have one of the given texts in a column. */

import { texts } from "./columns.ts";
import type { Queryable } from "./database.ts";

export async function deleteRows(
  tx: Queryable,
  table: string,
  column: string,
  values: readonly string[],
): Promise<void> {
  await tx.query(`delete from ${table} where ${column} = any($1::text[])`, [texts(values)]);
}
