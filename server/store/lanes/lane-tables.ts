/** The tables by which lanes rank in SQL: made when they are first used, filled from the stored chunks. */

import type { Queryable } from "../database.ts";
import type { Tables } from "../names.ts";

/**
 * The terms of a chunk lie in one array under a GIN index, which keeps its lists of chunks packed: a third of the room
 * of one row a term and chunk, and a file is replaced without touching the lists of others.
 */
export async function createLaneTables(tx: Queryable, { lanes }: Tables): Promise<void> {
  const [found] = await tx.query<{ isThere: boolean }>(
    'select to_regclass($1) is not null as "isThere"',
    [lanes.chunks],
  );
  if (found?.isThere === true) return;
  await tx.query(`
-- What the keyword lane counts of a chunk. Follows the chunks; content_hash tells whether it has.
create table ${lanes.chunks} (
  id int generated always as identity primary key,
  filename text collate "C" not null,
  location int4range not null,
  content_hash text not null,
  length int not null,
  terms int[] not null,
  -- A byte for each of the terms, in quarters.
  counts bytea not null,
  unique (filename, location)
);
create index on ${lanes.chunks} using gin (terms);

-- The names of the definitions in a chunk.
create table ${lanes.names} (
  chunk int not null references ${lanes.chunks} on delete cascade,
  name text collate "C" not null,
  symbol_type text not null,
  last text collate "C" not null,
  squashed text collate "C" not null,
  parts text[] not null
);
create index on ${lanes.names} (chunk);
create index on ${lanes.names} (last);
create index on ${lanes.names} using hash (name);
create index on ${lanes.names} (squashed);
create index on ${lanes.names} using gin (parts);

-- In how many chunks a term stands, as of the last count.
create table ${lanes.terms} (term int primary key, chunks int not null);
`);
}
