/** Creates the tables of the SQL lanes, on first use; they are filled from the stored chunks. */

import { TERMS_VERSION } from "../../contracts/lane-rows.ts";
import type { Queryable } from "../database.ts";
import type { LaneTables, Tables } from "../names.ts";

/**
 * The terms of a chunk are an array with a GIN index, which compresses its posting lists: a third of the space of a row
 * per term and chunk. A file is replaced without rewriting the postings of other files.
 */
export async function createLaneTables(tx: Queryable, { lanes }: Tables): Promise<void> {
  if ((await laneTablesOf(tx, lanes)) === "current") return;
  await tx.query(`
drop table if exists ${lanes.names}, ${lanes.chunks}, ${lanes.terms};
-- The term counts of each chunk. Updated after the chunks; content_hash shows whether a row is current.
create table ${lanes.chunks} (
  id int generated always as identity primary key,
  filename text collate "C" not null,
  location int4range not null,
  content_hash text not null,
  length int not null,
  terms int[] not null,
  -- A byte per term: its occurrences in quarters.
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

-- The number of chunks that contain a term, as of the last count.
create table ${lanes.terms} (term int primary key, chunks int not null);

comment on table ${lanes.chunks} is '${versionComment()}';
`);
}

/** Whether there are tables, and whether this version of the program has counted their terms. */
export async function laneTablesOf(
  database: Queryable,
  { chunks }: LaneTables,
): Promise<"current" | "outdated" | "missing"> {
  const [found] = await database.query<{ isThere: boolean; version: string | null }>(
    `select to_regclass($1) is not null as "isThere",
       obj_description(to_regclass($1), 'pg_class') as version`,
    [chunks],
  );
  if (found?.isThere !== true) return "missing";
  return found.version === versionComment() ? "current" : "outdated";
}

function versionComment(): string {
  return `terms ${TERMS_VERSION}`;
}
