/** What ranking wants to know of chunks that were found, and the chunks of files. */

import type { ChunkFacts } from "../../contracts/lanes.ts";
import type { StoredChunk } from "../../contracts/store.ts";
import { CHUNK_COLUMNS, type ChunkRow, toFacts } from "../chunk-rows.ts";
import { ints, texts } from "../columns.ts";
import type { Queryable } from "../database.ts";
import type { Tables } from "../names.ts";

export async function readFacts(
  database: Queryable,
  { chunks, lanes }: Tables,
  ids: readonly number[],
): Promise<Map<number, Omit<ChunkFacts, "category">>> {
  if (ids.length === 0) return new Map();
  const rows = await database.query<ChunkRow & { id: number }>(
    `select lanes.id, ${CHUNK_COLUMNS}
     from ${lanes.chunks} lanes join ${chunks} chunks using (filename, location)
     where lanes.id = any ($1::int[])`,
    [ints(ids)],
  );
  return new Map(rows.map((row) => [row.id, toFacts(row)]));
}

/** By path and place. */
export async function readChunksOf(
  database: Queryable,
  { lanes }: Tables,
  paths: readonly string[],
): Promise<number[]> {
  if (paths.length === 0) return [];
  const rows = await database.query<{ id: number }>(
    `select id from ${lanes.chunks} where filename = any ($1::text[]) order by filename, location`,
    [texts(paths)],
  );
  return rows.map(({ id }) => id);
}

/** Chunks that no row stands for; by path and place. */
export async function readChunksWithoutRows(
  database: Queryable,
  { chunks, lanes }: Tables,
  limit: number,
): Promise<StoredChunk[]> {
  const rows = await database.query<ChunkRow & { words: string }>(
    `select ${CHUNK_COLUMNS}, content_tsv_input as words from ${chunks} chunks
     where not exists (
       select from ${lanes.chunks} lanes where lanes.filename = chunks.filename
         and lanes.location = chunks.location and lanes.content_hash = chunks.content_hash)
     order by filename, location limit $1::int`,
    [limit],
  );
  return rows.map((row) => ({ ...toFacts(row), words: row.words }));
}
