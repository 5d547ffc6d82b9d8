/** What ranking wants to know of chunks that were found, and the chunks of files. */

import type { CodeSymbol } from "../../model.ts";
import type { ChunkFacts, StoredChunk } from "../../ports.ts";
import { ints, texts } from "../columns.ts";
import type { Queryable } from "../database.ts";
import type { Tables } from "../names.ts";

interface Row {
  readonly id: number;
  readonly filename: string;
  readonly start: number;
  readonly end: number;
  readonly language_id: string;
  readonly symbols: readonly CodeSymbol[];
  readonly start_line: number;
  readonly end_line: number;
  readonly context_start_line: number;
  readonly context_end_line: number;
  readonly block_type: string | null;
  readonly hierarchy: string | null;
}

const COLUMNS = `chunks.filename, lower(chunks.location) as start, upper(chunks.location) as end,
  language_id, symbols, start_line, end_line, context_start_line, context_end_line, block_type,
  hierarchy`;

export async function readFacts(
  database: Queryable,
  { chunks, lanes }: Tables,
  ids: readonly number[],
): Promise<Map<number, Omit<ChunkFacts, "category">>> {
  if (ids.length === 0) return new Map();
  const rows = await database.query<Row>(
    `select lanes.id, ${COLUMNS}
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
export async function readMissing(
  database: Queryable,
  { chunks, lanes }: Tables,
  limit: number,
): Promise<StoredChunk[]> {
  const rows = await database.query<Row & { words: string }>(
    `select ${COLUMNS}, content_tsv_input as words from ${chunks} chunks
     where not exists (
       select from ${lanes.chunks} lanes where lanes.filename = chunks.filename
         and lanes.location = chunks.location and lanes.content_hash = chunks.content_hash)
     order by filename, location limit $1::int`,
    [limit],
  );
  return rows.map((row) => ({ ...toFacts(row), words: row.words }));
}

function toFacts(row: Omit<Row, "id">): Omit<ChunkFacts, "category"> {
  return {
    path: row.filename,
    languageId: row.language_id,
    span: { start: row.start, end: row.end },
    lines: { start: row.start_line, end: row.end_line },
    symbols: row.symbols,
    context: { start: row.context_start_line, end: row.context_end_line },
    ...(row.block_type === null ? {} : { blockType: row.block_type }),
    ...(row.hierarchy === null ? {} : { hierarchy: row.hierarchy }),
  };
}
