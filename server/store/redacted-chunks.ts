/** The files of which something is not stored, because a secret stands in it. */

import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

export async function readRedactedChunks(
  database: Queryable,
  tables: Tables,
  limit: number,
): Promise<Map<string, number>> {
  const rows = await database.query<{ path: string; secrets: number }>(
    `select path, secrets from ${tables.files} where secrets > 0 order by path limit ${limit}`,
  );
  return new Map(rows.map(({ path, secrets }) => [path, secrets]));
}
