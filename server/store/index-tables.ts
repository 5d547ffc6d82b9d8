/** The tables of one index, in the seed's names. */

import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

/** The vector lies apart, never out of line: scanning it then costs a quarter (storage.md). */
export async function createTables(tx: Queryable, tables: Tables): Promise<void> {
  await tx.query(`
-- What is found. Written by commit.ts, a file at a time.
create table ${tables.chunks} (
  filename text not null,
  location int4range not null,
  content_text text not null,
  content_tsv_input text not null,
  content_tsv tsvector generated always as (to_tsvector('simple', content_tsv_input)) stored,
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

-- Missing rows are pending embeddings. Written by commit.ts and set-vectors.ts.
create table ${tables.vectors} (
  filename text not null,
  location int4range not null,
  embedding vector not null,
  primary key (filename, location)
);
alter table ${tables.vectors} alter column embedding set storage plain;

-- What is indexed. Written by commit.ts.
create table ${tables.files} (
  path text primary key,
  sha256 text not null,
  size bigint not null,
  mtime double precision not null,
  language text not null,
  category text not null
);

-- How well each file was parsed. Written by commit.ts.
create table ${tables.parseResults} (
  file_path text primary key,
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
  await tx.query(`
drop view if exists ${tables.view};
drop table if exists ${tables.chunks}, ${tables.vectors}, ${tables.files}, ${tables.parseResults};
`);
}
