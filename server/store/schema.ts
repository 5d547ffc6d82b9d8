/** The tables of one index: created and dropped. */

import { dropHistoryTables } from "./commits.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

export async function createTables(tx: Queryable, tables: Tables): Promise<void> {
  for (const sql of [tablesOfChunks(tables), tablesOfFiles(tables), tablesOfGraph(tables)]) {
    await tx.query(sql);
  }
}

/**
 * Vectors have a narrow table of their own, inside the row as long as they fit into a page: a scan of 50 thousand takes
 * 37 ms instead of 146. Numbers of 16 bits take half of the space of floats (rails: 21 MB, not 45) and order chunks as
 * floats do (decision 14). Storage `plain` would refuse vectors of more than 2,000 dimensions, which do not fit.
 *
 * Paths are compared by bytes, so that their order is the same on every server and survives its updates.
 */
function tablesOfChunks(tables: Tables): string {
  return `
-- What is found, in byte ranges of files. Written by chunks.ts, a file at a time.
create table ${tables.chunks} (
  filename text collate "C" not null,
  location int4range not null,
  content_text text not null,
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

-- Missing rows are pending embeddings. Written by vectors.ts.
create table ${tables.vectors} (
  filename text collate "C" not null,
  location int4range not null,
  embedding halfvec not null,
  primary key (filename, location)
);
alter table ${tables.vectors} alter column embedding set storage main;
-- Text is pressed in rows of a chunk each, too, and not only in those that would not fit into a page: rails 137 MB, not 149.
alter table ${tables.chunks} set (toast_tuple_target = 256);

-- What a person reads who looks into the database: chunks with their vectors.
create view ${tables.view} as
  select chunks.*, vectors.embedding
  from ${tables.chunks} chunks left join ${tables.vectors} vectors using (filename, location);`;
}

function tablesOfFiles(tables: Tables): string {
  return `
-- What is indexed. Written by files.ts.
create table ${tables.files} (
  path text collate "C" primary key,
  sha256 text not null,
  size bigint not null,
  mtime double precision not null,
  -- Null for a file that has to be read to be recognized.
  stamp text,
  language text not null,
  category text not null,
  secrets int not null,
  -- Null where the bytes leave no doubt: UTF-8, or a byte order mark.
  encoding text,
  is_encoding_guessed boolean not null,
  -- Rows in the table of chunks, to notice when some are lost.
  chunks int not null
);

-- How well each file was parsed. Written by files.ts.
create table ${tables.parseResults} (
  file_path text collate "C" primary key,
  language text not null,
  parse_status text not null,
  error_message text
);

-- Files that are not indexed for what is in them. Written by exclusions.ts.
create table ${tables.exclusions} (
  path text collate "C" primary key,
  -- What the file is recognized by without being read.
  stamp text not null,
  rule text not null,
  -- What decided: another program, or other settings, may decide otherwise.
  rules text not null
);`;
}

function tablesOfGraph(tables: Tables): string {
  return `
-- What the graph is made from. Written by dependencies.ts together with the chunks of the file.
create table ${tables.tracking} (
  file_path text collate "C" primary key,
  content_hash text not null,
  facts_version int not null,
  -- See contracts/packed-facts.ts.
  facts bytea not null,
  -- Of the edges that are stored of the file; empty while they are not up to date.
  edges_hash text not null default ''
);
-- They are pressed already.
alter table ${tables.tracking} alter column facts set storage external;

-- Import edges, made again when files change. Written by dependencies.ts.
create table ${tables.dependencies} (
  source_file text collate "C" not null,
  source_symbol text,
  -- Null for a package that is not in the workspace.
  target_file text collate "C",
  target_symbol text,
  dep_type text not null,
  line int not null,
  confidence real not null,
  how text not null,
  metadata jsonb not null
);
create index ${tables.dependencies.replace(/"$/, '_source"')} on ${tables.dependencies} (source_file);
create index ${tables.dependencies.replace(/"$/, '_target"')} on ${tables.dependencies} (target_file);`;
}

export async function dropTables(tx: Queryable, tables: Tables): Promise<void> {
  await dropHistoryTables(tx, tables);
  await tx.query(`
drop view if exists ${tables.view};
drop table if exists ${tables.lanes.names}, ${tables.lanes.chunks}, ${tables.lanes.terms};
drop table if exists ${tables.chunks}, ${tables.vectors}, ${tables.files}, ${tables.parseResults};
drop table if exists ${tables.tracking}, ${tables.dependencies}, ${tables.exclusions};
`);
}
