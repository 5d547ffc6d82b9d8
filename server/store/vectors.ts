/** The table `vectors`: one row per embedded chunk; a chunk without a row is pending. */

import { Unavailable } from "../common/errors.ts";
import type { CodeSymbol, IndexRecord } from "../contracts/model.ts";
import type { PendingChunk } from "../contracts/store.ts";
import type { ChunkVector } from "../contracts/stored-chunk.ts";
import { ownTables } from "./borrowed-rows.ts";
import { updateRecord } from "./catalog.ts";
import { ints, slices, texts, vectors } from "./columns.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

/** Throws for a vector that cannot be compared: of another dimension, not finite, or all zero. */
export function checkVector(vector: Float32Array, dimension: number): void {
  if (vector.length !== dimension) {
    throw new Unavailable(
      `a vector has ${vector.length} dimensions, the index ${dimension}`,
      "if the model was changed, reindex with --full",
    );
  }
  let isZero = true;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] as number;
    if (!Number.isFinite(value)) throw new Error("a vector has a component that is not finite");
    if (value !== 0) isZero = false;
  }
  if (isZero) throw new Error("a vector has only zeros");
}

/** For chunks that are stored in the same transaction. */
export async function insertVectors(
  tx: Queryable,
  tables: Tables,
  rows: readonly ChunkVector[],
): Promise<void> {
  for (const slice of slices(rows)) {
    await tx.query(
      `insert into ${tables.vectors} (filename, location, embedding)
       select filename, int4range(first_byte, end_byte), embedding
       from unnest($1::text[], $2::int[], $3::int[], $4::vector[])
         as row (filename, first_byte, end_byte, embedding)`,
      [
        texts(slice.map(({ path }) => path)),
        ints(slice.map(({ span }) => span.start)),
        ints(slice.map(({ span }) => span.end)),
        vectors(slice.map(({ vector }) => vector)),
      ],
    );
  }
}

interface PendingRow {
  readonly filename: string;
  readonly start: number;
  readonly end: number;
  readonly content_text: string;
  readonly content_hash: string;
  readonly symbols: readonly CodeSymbol[];
  readonly language_id: string;
  readonly hierarchy: string | null;
  readonly start_line: number;
  readonly end_line: number;
}

export async function readPending(
  database: Queryable,
  tables: Tables,
  limit: number,
): Promise<PendingChunk[]> {
  // Comparing all borrowed chunks with their vectors takes half a second for rails.
  const own = await ownTables(database, tables);
  const rows = await database.query<PendingRow>(
    `select filename, lower(location) as start, upper(location) as end, content_text, content_hash,
       symbols, language_id, hierarchy, start_line, end_line
     from ${own.chunks} chunks
     where not exists (
       select from ${own.vectors} vectors
       where vectors.filename = chunks.filename and vectors.location = chunks.location)
     order by filename, location limit $1::int`,
    [limit],
  );
  return rows.map((row) => ({
    path: row.filename,
    span: { start: row.start, end: row.end },
    text: row.content_text,
    contentHash: row.content_hash,
    names: row.symbols.map(({ name }) => name),
    languageId: row.language_id,
    lines: { start: row.start_line, end: row.end_line },
    ...(row.hierarchy === null ? {} : { hierarchy: row.hierarchy }),
  }));
}

/** Stores vectors of chunks that still exist with the text that was embedded. */
export async function writeVectors(
  tx: Queryable,
  tables: Tables,
  given: readonly ChunkVector[],
  record: IndexRecord,
): Promise<void> {
  const dimension = record.dimension || given[0]?.vector.length || 0;
  for (const { vector } of given) checkVector(vector, dimension);
  // A view takes no `on conflict`.
  const target = (await ownTables(tx, tables)).vectors;
  for (const slice of slices(given)) {
    await tx.query(
      `insert into ${target} (filename, location, embedding)
       select chunks.filename, chunks.location, row.embedding
       from unnest($1::text[], $2::int[], $3::int[], $4::text[], $5::vector[])
         as row (filename, first_byte, end_byte, content_hash, embedding)
       join ${tables.chunks} chunks on chunks.filename = row.filename
         and chunks.location = int4range(row.first_byte, row.end_byte)
         and chunks.content_hash = coalesce(row.content_hash, chunks.content_hash)
       on conflict (filename, location) do update set embedding = excluded.embedding`,
      [
        texts(slice.map(({ path }) => path)),
        ints(slice.map(({ span }) => span.start)),
        ints(slice.map(({ span }) => span.end)),
        texts(slice.map(({ contentHash }) => contentHash ?? null)),
        vectors(slice.map(({ vector }) => vector)),
      ],
    );
  }
  await updateRecord(tx, record.name, { dimension });
}

/** Rebuilds the primary key of a table from its rows. */
export async function rebuildVectorKey(tx: Queryable, table: string): Promise<void> {
  const [key] = await tx.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where indrelid = $1::regclass and indisprimary`,
    [table],
  );
  if (key !== undefined) await tx.query(`reindex index ${key.name}`);
}
