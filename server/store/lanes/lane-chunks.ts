/** The table `lanes`: a row per chunk with the data that the keyword and symbol lanes rank by. */

import type { ChunkPlace, LaneRow } from "../../contracts/lane-rows.ts";
import type { ChunkFacts } from "../../contracts/lanes.ts";
import type { StoredChunk } from "../../contracts/stored-chunk.ts";
import { CHUNK_COLUMNS, type ChunkRow, toFacts } from "../chunks.ts";
import { ints, slices, storable, texts } from "../columns.ts";
import { type Queryable, queryForLong } from "../database.ts";
import type { Tables } from "../names.ts";

/** Bounds the length of b-tree keys; queries have no longer names. */
const MAX_KEY_LENGTH = 200;

/** Replaces the rows of files; returns the number of rows that were removed. */
export async function writeRows(
  tx: Queryable,
  tables: Tables,
  paths: readonly string[],
  rows: readonly LaneRow[],
): Promise<number> {
  let removed = 0;
  for (const slice of slices(paths)) {
    const [row] = await tx.query<{ count: number }>(
      `with removed as (delete from ${tables.lanes.chunks} where filename = any ($1::text[]) returning id)
       select count(*)::int as count from removed`,
      [texts(slice)],
    );
    removed += row?.count ?? 0;
  }
  for (const slice of slices(rows)) await insert(tx, tables, slice);
  return removed;
}

/** Before all chunks. */
const START: ChunkPlace = { path: "", span: { start: 0, end: 1 } };

interface Numbered {
  readonly id: number;
  readonly filename: string;
  readonly start: number;
}

/** A chunk that was replaced in the meantime has no row in `chunks` and is skipped. */
async function insert(tx: Queryable, tables: Tables, rows: readonly LaneRow[]): Promise<void> {
  const { lanes, chunks } = tables;
  const numbered = await tx.query<Numbered>(
    `insert into ${lanes.chunks} (filename, location, content_hash, length, terms, counts)
     select row.filename, chunks.location, chunks.content_hash, row.length, row.terms::int[],
       decode(row.counts, 'hex')
     from unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::text[], $6::text[])
       as row (filename, first_byte, end_byte, length, terms, counts)
     join ${chunks} chunks on chunks.filename = row.filename
       and chunks.location = int4range(row.first_byte, row.end_byte)
     on conflict (filename, location) do nothing
     returning id, filename, lower(location) as start`,
    [
      texts(rows.map(({ path }) => path)),
      ints(rows.map(({ span }) => span.start)),
      ints(rows.map(({ span }) => span.end)),
      ints(rows.map(({ length }) => length)),
      texts(rows.map(({ terms }) => `{${terms.join(",")}}`)),
      texts(rows.map(({ counts }) => Buffer.from(counts).toString("hex"))),
    ],
  );
  const ids = new Map(numbered.map(({ id, filename, start }) => [keyOf(filename, start), id]));
  const names = rows.flatMap(({ path, span, names: own }) => {
    const id = ids.get(keyOf(path, span.start));
    return id === undefined ? [] : own.map((name) => ({ id, ...name }));
  });
  for (const slice of slices(names)) {
    await tx.query(
      `insert into ${lanes.names} (chunk, name, symbol_type, last, squashed, parts)
       select chunk, name, symbol_type, last, squashed, string_to_array(parts, ' ')
       from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
         as row (chunk, name, symbol_type, last, squashed, parts)`,
      [
        ints(slice.map(({ id }) => id)),
        texts(slice.map(({ name }) => storable(name))),
        texts(slice.map(({ symbolType }) => symbolType)),
        texts(slice.map(({ last }) => key(last))),
        texts(slice.map(({ squashed }) => key(squashed))),
        texts(slice.map(({ parts }) => key(parts.join(" ")))),
      ],
    );
  }
}

function key(text: string): string {
  return storable(text.slice(0, MAX_KEY_LENGTH)) ?? "";
}

function keyOf(path: string, start: number): string {
  return `${start}:${path}`;
}

/** Deletes rows of chunks that were replaced or removed while no engine ranked in SQL. */
export async function dropStaleRows(tx: Queryable, { lanes, chunks }: Tables): Promise<void> {
  await queryForLong(
    tx,
    `delete from ${lanes.chunks} lanes where not exists (
       select from ${chunks} chunks where chunks.filename = lanes.filename
         and chunks.location = lanes.location and chunks.content_hash = lanes.content_hash)`,
  );
}

export async function readLaneFacts(
  database: Queryable,
  { chunks, lanes }: Tables,
  ids: readonly number[],
): Promise<Map<number, Omit<ChunkFacts, "category">>> {
  if (ids.length === 0) return new Map();
  const rows = await database.query<ChunkRow & { id: number }>(
    `select lanes.id, ${CHUNK_COLUMNS}
     from ${lanes.chunks} lanes join ${chunks} chunks using (filename, location, content_hash)
     where lanes.id = any ($1::int[])`,
    [ints(ids)],
  );
  return new Map(rows.map((row) => [row.id, toFacts(row)]));
}

/** Ids of the chunks of files, ordered by path and position. */
export async function readLaneChunksOf(
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

/**
 * Stored chunks without a row in `lanes` behind a place, ordered by path and position. Both tables get the bound, so that the rows
 * of earlier chunks are not read for each page.
 */
export async function readChunksWithoutRows(
  database: Queryable,
  { chunks, lanes }: Tables,
  limit: number,
  { path, span }: ChunkPlace = START,
): Promise<StoredChunk[]> {
  const rows = await database.query<ChunkRow & { text: string }>(
    `select ${CHUNK_COLUMNS}, content_text as text from ${chunks} chunks
     where (filename, location) > ($2::text, int4range($3::int, $4::int)) and not exists (
       select from ${lanes.chunks} lanes where lanes.filename >= $2::text
         and lanes.filename = chunks.filename
         and lanes.location = chunks.location and lanes.content_hash = chunks.content_hash)
     order by filename, location limit $1::int`,
    [limit, path, span.start, span.end],
  );
  return rows.map((row) => ({ ...toFacts(row), text: row.text }));
}
