/** The tables that all indexes share. */

export const catalog = `
-- One row an index. Written by the engine that keeps the index.
create table if not exists cocosearch_indexes (
  name text primary key,
  root text not null,
  model_id text not null,
  -- 0 until the first vector has shown it.
  dimension int not null,
  chunker_version text not null,
  schema_version int not null,
  commit_hash text,
  branch text,
  state text not null default 'partial' check (state in ('partial', 'complete')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Vectors by model and sha256 of the embedded text. Written by every engine, least recently used out first.
create table if not exists cocosearch_embeddings (
  model_id text not null,
  text_sha256 text not null,
  embedding vector not null,
  used_at timestamptz not null default now(),
  primary key (model_id, text_sha256)
);
-- In the row as long as it fits into a page.
alter table cocosearch_embeddings alter column embedding set storage main;
create index if not exists cocosearch_embeddings_used_at on cocosearch_embeddings (used_at);
`;
