/** The sha256 of each stored file by its path. */

import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

export async function readHashes(
  database: Queryable,
  tables: Tables,
): Promise<Map<string, string>> {
  const rows = await database.query<{ path: string; sha256: string }>(
    `select path, sha256 from ${tables.files} order by path`,
  );
  return new Map(rows.map(({ path, sha256 }) => [path, sha256]));
}
