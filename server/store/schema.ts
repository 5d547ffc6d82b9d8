/** Creates and drops the tables of one index. */

import { createView, stopBorrowing } from "./borrowed-rows.ts";
import { dropHistoryTables } from "./commits.ts";
import type { Queryable } from "./database.ts";
import { dropKeptTables } from "./kept.ts";
import type { Tables } from "./names.ts";

export async function createTables(tx: Queryable, tables: Tables): Promise<void> {
  for (const sql of [tablesOfChunks(tables), tablesOfFiles(tables), tablesOfGraph(tables)]) {
    await tx.query(sql);
  }
  await createView(tx, tables);
}

/**
 * Vectors have a narrow table of their own and are stored inline while they fit into a page, so that a scan of 50 thousand
 * takes 37 ms instead of 146. Half precision takes half of the space and ranks alike (decision 14). Storage `plain` would
 * reject vectors of more than 2,000 dimensions, which do not fit into a page.
 *
 * Paths have the collation "C", so that their order is the same on every server and survives updates of its locales.
 */
function tablesOfChunks(tables: Tables): string {
  return `
-- The searchable parts of files, by byte range. Written by chunks.ts, a file at a time.
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

-- Chunks without a row are not embedded yet. Written by vectors.ts.
create table ${tables.vectors} (
  filename text collate "C" not null,
  location int4range not null,
  embedding halfvec not null,
  primary key (filename, location)
);
alter table ${tables.vectors} alter column embedding set storage main;
-- Compresses the text of all rows, not only of rows that do not fit into a page: rails takes 137 MB instead of 149.
alter table ${tables.chunks} set (toast_tuple_target = 256);`;
}

function tablesOfFiles(tables: Tables): string {
  return `
-- The indexed files. Written by files.ts.
create table ${tables.files} (
  path text collate "C" primary key,
  sha256 text not null,
  size bigint not null,
  mtime double precision not null,
  -- The stat fingerprint; null if the file must be read to detect a change.
  stamp text,
  language text not null,
  category text not null,
  secrets int not null,
  -- Null if the file is UTF-8 or has a byte order mark.
  encoding text,
  is_encoding_guessed boolean not null,
  -- The number of rows in the table of chunks, to detect lost rows.
  chunks int not null
);

-- The parse status of each file. Written by files.ts.
create table ${tables.parseResults} (
  file_path text collate "C" primary key,
  language text not null,
  parse_status text not null,
  error_message text
);

-- Files that are excluded because of their content. Written by exclusions.ts.
create table ${tables.exclusions} (
  path text collate "C" primary key,
  -- The stat fingerprint.
  stamp text not null,
  rule text not null,
  -- The version of the rules: other versions or settings may decide differently.
  rules text not null
);`;
}

function tablesOfGraph(tables: Tables): string {
  return `
-- The facts that the graph is resolved from. Written by dependencies.ts together with the chunks of the file.
create table ${tables.tracking} (
  file_path text collate "C" primary key,
  content_hash text not null,
  facts_version int not null,
  -- See contracts/packed-facts.ts.
  facts bytea not null,
  -- A hash of the stored edges of the file; empty while they are outdated.
  edges_hash text not null default ''
);
-- Already compressed.
alter table ${tables.tracking} alter column facts set storage external;

-- Import edges, replaced when files change. Written by dependencies.ts.
create table ${tables.dependencies} (
  source_file text collate "C" not null,
  -- Null: edges are between files.
  source_symbol text,
  -- Null for a package outside the workspace.
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
  await stopBorrowing(tx, tables, "files");
  await stopBorrowing(tx, tables, "history");
  await dropHistoryTables(tx, tables);
  await dropKeptTables(tx, tables);
  await tx.query(`
drop view if exists ${tables.view};
drop table if exists ${tables.lanes.names}, ${tables.lanes.chunks}, ${tables.lanes.terms};
drop table if exists ${tables.chunks}, ${tables.vectors}, ${tables.files}, ${tables.parseResults} cascade;
drop table if exists ${tables.tracking} cascade;
drop table if exists ${tables.dependencies}, ${tables.exclusions};
drop table if exists ${tables.words}, ${tables.packed};
`);
}
