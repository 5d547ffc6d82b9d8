/** The table `cocosearch_published` of a team's database: which index is published for a repository. */

import type { PublishedIndex, PublishedKey } from "../contracts/published.ts";
import type { Queryable } from "./database.ts";

/**
 * A table of its own and not columns of the catalog: a new version of the catalog would lock out clients of older versions that
 * have indexes of their own in this database.
 */
export const PUBLISHED_TABLE = `
-- One row per published index. Written by a publish, in the transaction that writes the rows of the index.
create table if not exists cocosearch_published (
  -- host/path, without user and password.
  repository text collate "C" not null,
  -- The indexed folder of the repository; empty for all of it.
  subfolder text collate "C" not null,
  branch text collate "C" not null,
  commit_hash text not null,
  index_name text not null unique references cocosearch_indexes (name) on delete cascade,
  files int not null,
  chunks int not null,
  published_at timestamptz not null,
  primary key (repository, subfolder, branch)
);`;

interface PublishedRow {
  readonly repository: string;
  readonly subfolder: string;
  readonly branch: string;
  readonly commit_hash: string;
  readonly index_name: string;
  readonly files: number;
  readonly chunks: number;
  readonly published_at: Date;
  readonly model_id: string;
  readonly dimension: number;
  readonly chunker_version: string;
  readonly schema_version: number;
  /** Null unless the rights of publishers are per repository. */
  readonly publisher: string | null;
}

/** By repository, subfolder and branch. */
export async function listPublished(database: Queryable): Promise<PublishedIndex[]> {
  const rows = await database.query<PublishedRow>(
    `select published.*, model_id, dimension, chunker_version, schema_version,
       to_jsonb(indexes) ->> 'publisher' as publisher
     from cocosearch_published published join cocosearch_indexes indexes on name = index_name
     order by repository, subfolder, published.branch`,
  );
  return rows.map(toPublished);
}

function toPublished(row: PublishedRow): PublishedIndex {
  return {
    repository: row.repository,
    subfolder: row.subfolder,
    branch: row.branch,
    commit: row.commit_hash,
    index: row.index_name,
    files: row.files,
    chunks: row.chunks,
    publishedAt: row.published_at.toISOString(),
    modelId: row.model_id,
    dimension: row.dimension,
    chunkerVersion: row.chunker_version,
    schemaVersion: row.schema_version,
    ...(row.publisher === null ? {} : { publisher: row.publisher }),
  };
}

type Publication = PublishedKey & Pick<PublishedIndex, "commit" | "index" | "files" | "chunks">;

/** Makes the index the published one of its repository, subfolder and branch. */
export async function writePublished(tx: Queryable, published: Publication): Promise<void> {
  const { repository, subfolder, branch, commit, index, files, chunks } = published;
  await tx.query(
    `insert into cocosearch_published
       (repository, subfolder, branch, commit_hash, index_name, files, chunks, published_at)
     values ($1::text, $2::text, $3::text, $4::text, $5::text, $6::int, $7::int, clock_timestamp())
     on conflict (repository, subfolder, branch) do update set commit_hash = excluded.commit_hash,
       index_name = excluded.index_name, files = excluded.files, chunks = excluded.chunks,
       published_at = excluded.published_at`,
    [repository, subfolder, branch, commit, index, files, chunks],
  );
}

/** The index itself stays. */
export async function removePublished(
  tx: Queryable,
  { repository, subfolder, branch }: PublishedKey,
): Promise<void> {
  await tx.query(
    `delete from cocosearch_published
     where repository = $1::text and subfolder = $2::text and branch = $3::text`,
    [repository, subfolder, branch],
  );
}
