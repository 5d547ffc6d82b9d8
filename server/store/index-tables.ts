/** The tables of one index, in the seed's names. */

import { dropHistoryTables } from "./commits.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

/** In characters; a tsvector may have 1 MB with the places of its words, and no chunk may fail for having more. */
const LONGEST_TSV_INPUT = 100_000;

/**
 * The vector lies apart, in the row as long as it fits into a page: scanning it then costs a quarter (storage.md).
 * Storage `plain` would refuse what does not fit, vectors of more than 2,000 dimensions.
 *
 * Paths are compared by bytes, so that their order is the same on every server and survives its updates.
 */
export async function createTables(tx: Queryable, tables: Tables): Promise<void> {
  await tx.query(`
-- What is found, in places counted in bytes. Written by commit.ts, a file at a time.
create table ${tables.chunks} (
  filename text collate "C" not null,
  location int4range not null,
  content_text text not null,
  content_tsv_input text not null,
  content_tsv tsvector generated always as (to_tsvector('simple', left(content_tsv_input, ${LONGEST_TSV_INPUT}))) stored,
  content_hash text not null,
  block_type text,
  hierarchy text,
  language_id text not null,
  symbol_type text,
  symbol_name text,
  symbol_signature text,
  symbols jsonb not null,
  start_line int not null,
  end_line int not null,
  context_start_line int not null,
  context_end_line int not null,
  primary key (filename, location)
);

-- Missing rows are pending embeddings. Written by commit.ts and pending.ts.
create table ${tables.vectors} (
  filename text collate "C" not null,
  location int4range not null,
  embedding vector not null,
  primary key (filename, location)
);
alter table ${tables.vectors} alter column embedding set storage main;

-- What is indexed. Written by commit.ts.
create table ${tables.files} (
  path text collate "C" primary key,
  sha256 text not null,
  size bigint not null,
  mtime double precision not null,
  -- Null for a file that has to be read to be recognized. Also written by stat-fingerprints.ts.
  stamp text,
  language text not null,
  category text not null,
  secrets int not null,
  -- How many there are in the chunks' table, to notice when some are lost.
  chunks int not null
);

-- How well each file was parsed. Written by commit.ts.
create table ${tables.parseResults} (
  file_path text collate "C" primary key,
  language text not null,
  parse_status text not null,
  error_message text
);

create view ${tables.view} as
  select chunks.*, vectors.embedding
  from ${tables.chunks} chunks left join ${tables.vectors} vectors using (filename, location);
`);
}

export async function dropTables(tx: Queryable, tables: Tables): Promise<void> {
  await dropHistoryTables(tx, tables);
  await tx.query(`
drop view if exists ${tables.view};
drop table if exists ${tables.lanes.names}, ${tables.lanes.chunks}, ${tables.lanes.terms};
drop table if exists ${tables.chunks}, ${tables.vectors}, ${tables.files}, ${tables.parseResults};
`);
}
