/** By which each stored file is recognized without being read. */

import { texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

/** Files that were too young when they were read are missing. */
export async function readStatFingerprints(
  database: Queryable,
  tables: Tables,
): Promise<Map<string, string>> {
  const rows = await database.query<{ path: string; stamp: string }>(
    `select path, stamp from ${tables.files} where stamp is not null`,
  );
  return new Map(rows.map(({ path, stamp }) => [path, stamp]));
}

/** For files whose content was found to be what is stored. */
export async function writeStatFingerprints(
  tx: Queryable,
  tables: Tables,
  statFingerprints: ReadonlyMap<string, string>,
): Promise<void> {
  await tx.query(
    `update ${tables.files} files set stamp = row.stamp
     from unnest($1::text[], $2::text[]) as row (path, stamp) where files.path = row.path`,
    [texts([...statFingerprints.keys()]), texts([...statFingerprints.values()])],
  );
}
