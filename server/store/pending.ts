/** Chunks that wait for their vectors, and the vectors for them. */

import type { CodeSymbol } from "../model.ts";
import type { ChunkVector, PendingChunk } from "../ports.ts";
import type { Queryable } from "./database.ts";
import { insertRows } from "./insert.ts";
import type { Tables } from "./names.ts";
import { checkVector, toBinary } from "./vectors.ts";

interface Row {
  readonly filename: string;
  readonly start: number;
  readonly end: number;
  readonly content_text: string;
  readonly symbols: readonly CodeSymbol[];
}

export async function readPending(
  database: Queryable,
  tables: Tables,
  limit: number,
): Promise<PendingChunk[]> {
  const rows = await database.query<Row>(
    `select filename, lower(location) as start, upper(location) as end, content_text, symbols
     from ${tables.chunks} chunks
     where not exists (
       select from ${tables.vectors} vectors
       where vectors.filename = chunks.filename and vectors.location = chunks.location)
     order by filename, location limit $1::int`,
    [limit],
  );
  return rows.map((row) => ({
    path: row.filename,
    span: { start: row.start, end: row.end },
    text: row.content_text,
    names: row.symbols.map(({ name }) => name),
  }));
}

/** Only for chunks that are still there. */
export async function writeVectors(
  tx: Queryable,
  tables: Tables,
  vectors: readonly ChunkVector[],
  dimension: number | undefined,
): Promise<void> {
  for (const { vector } of vectors) checkVector(vector, dimension ?? vectors[0]?.vector.length);
  const stored = await tx.query<{ filename: string; start: number; end: number }>(
    `select filename, lower(location) as start, upper(location) as end from ${tables.chunks}
     where filename in (select json_array_elements_text($1::json))`,
    [JSON.stringify([...new Set(vectors.map(({ path }) => path))])],
  );
  const places = new Set(stored.map(({ filename, start, end }) => `${start}:${end}:${filename}`));
  await insertRows(
    tx,
    `${tables.vectors} (filename, location, embedding)`,
    vectors.filter(({ path, span }) => places.has(`${span.start}:${span.end}:${path}`)),
    ({ path, span, vector }) => [path, span.start, span.end, toBinary(vector)],
    (at) => `${at(0)}::text, int4range(${at(1)}::int, ${at(2)}::int), ${at(3)}::vector`,
    "on conflict (filename, location) do update set embedding = excluded.embedding",
  );
}
