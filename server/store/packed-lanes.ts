/**
 * The table `packed` of a published index: its lanes as the parts of one file, so that members who search it need not make them
 * from the rows. The file has checksums, and names the state of the rows and the program that packed it.
 */

import { createHash } from "node:crypto";
import { bytes } from "./columns.ts";
import { hasTable, type Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

/** In bytes. A part is a piece of `engine/indexes/array-file.ts`, or its header. */
const MAX_PART_BYTES = 4_000_000;

/** An index that an older version has published has no such table, and gets it with the next publish. */
export async function createPacked(tx: Queryable, { packed }: Tables): Promise<void> {
  // Members read a table that is there, and ALTER TABLE would lock them out until the publish ends.
  if (await hasTable(tx, packed)) return;
  await tx.query(`
-- The lanes in memory of a member, packed. Written by packed-lanes.ts at the end of a publish.
create table ${packed} (
  part int primary key,
  hash text not null,
  content bytea not null
);
-- The writer compresses it.
alter table ${packed} alter column content set storage external;`);
}

/** Replaces the file. Parts that are the same as before are not written. */
export async function replacePacked(
  tx: Queryable,
  { packed }: Tables,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  let part = 0;
  for await (const content of parts) {
    const hash = createHash("sha256").update(content).digest("hex");
    await tx.query(
      `insert into ${packed} as known (part, hash, content)
       select $1::int, $2::text, content from unnest($3::bytea[]) as own (content)
       on conflict (part) do update set hash = excluded.hash, content = excluded.content
         where known.hash <> excluded.hash`,
      [part, hash, bytes([content])],
    );
    part++;
  }
  await tx.query(`delete from ${packed} where part >= $1::int`, [part]);
}

/** The parts of the file; none if the index has no such file. */
export async function* readPacked(
  database: Queryable,
  { packed }: Tables,
): AsyncGenerator<Uint8Array> {
  if (!(await hasTable(database, packed))) return;
  for (let part = 0; ; part++) {
    const [row] = await database.query<{ content: string }>(
      `select encode(content, 'base64') as content from ${packed}
       where part = $1::int and octet_length(content) <= ${MAX_PART_BYTES}`,
      [part],
    );
    if (row === undefined) return;
    yield Buffer.from(row.content, "base64");
  }
}
