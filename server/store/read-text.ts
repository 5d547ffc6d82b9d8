/** The stored text of one chunk. */

import type { ByteSpan } from "../contracts/model.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

export async function readText(
  database: Queryable,
  tables: Tables,
  path: string,
  { start, end }: ByteSpan,
): Promise<string | undefined> {
  const [row] = await database.query<{ content_text: string }>(
    `select content_text from ${tables.chunks}
     where filename = $1::text and location = int4range($2::int, $3::int)`,
    [path, start, end],
  );
  return row?.content_text;
}
