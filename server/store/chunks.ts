/** The table `chunks`: the searchable parts of files, by byte range. */

import { createHash } from "node:crypto";
import type { ChunkFacts } from "../contracts/lanes.ts";
import type { Chunk, CodeSymbol, FileRecord } from "../contracts/model.ts";
import type { StoredChunk } from "../contracts/stored-chunk.ts";
import { asBase64, fromBase64 } from "./binary-format.ts";
import { ints, slices, storable, storableJson, texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

export interface ChunkRow {
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

/** For statements that name the table `chunks`. */
export const CHUNK_COLUMNS = `chunks.filename, lower(chunks.location) as start,
  upper(chunks.location) as end, language_id, symbols, start_line, end_line, context_start_line,
  context_end_line, block_type, hierarchy`;

/** All columns of the table, to copy rows. */
export const CHUNK_TABLE_COLUMNS = `filename, location, content_text, content_hash, block_type,
  hierarchy, language_id, symbol_type, symbol_name, symbol_signature, symbols, start_line,
  end_line, context_start_line, context_end_line`;

export function toFacts(row: ChunkRow): Omit<ChunkFacts, "category"> {
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

interface FileChunk {
  readonly file: FileRecord;
  readonly chunk: Chunk;
}

export async function insertChunks(
  tx: Queryable,
  tables: Tables,
  rows: readonly FileChunk[],
): Promise<void> {
  for (const slice of slices(rows)) {
    await tx.query(
      `insert into ${tables.chunks} (${CHUNK_TABLE_COLUMNS})
       select filename, int4range(first_byte, end_byte), content_text, content_hash,
         block_type, hierarchy, language_id, symbol_type, symbol_name, symbol_signature, symbols::jsonb,
         start_line, end_line, context_start_line, context_end_line
       from unnest($1::text[], $2::int[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[],
         $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::int[], $14::int[],
         $15::int[], $16::int[])
         as row (filename, first_byte, end_byte, content_text, content_hash, block_type,
           hierarchy, language_id, symbol_type, symbol_name, symbol_signature, symbols,
           start_line, end_line, context_start_line, context_end_line)`,
      columnsOf(slice),
    );
  }
}

/** Compared before a vector is stored, to check that the chunk still has the embedded text. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function columnsOf(rows: readonly FileChunk[]) {
  const text = (of: (row: FileChunk) => string | undefined) =>
    texts(rows.map((row) => storable(of(row))));
  const int = (of: (row: FileChunk) => number) => ints(rows.map(of));
  return [
    text(({ file }) => file.path),
    int(({ chunk }) => chunk.span.start),
    int(endOf),
    text(({ chunk }) => chunk.text),
    text(({ chunk }) => hashOf(chunk.text)),
    text(({ chunk }) => chunk.blockType),
    text(({ chunk }) => chunk.hierarchy),
    text(({ file }) => file.languageId),
    text(({ chunk }) => chunk.symbols[0]?.type),
    text(({ chunk }) => chunk.symbols[0]?.name),
    text(({ chunk }) => chunk.symbols[0]?.signature),
    text(({ chunk }) => storableJson(chunk.symbols)),
    int(({ chunk }) => chunk.lines.start),
    int(({ chunk }) => chunk.lines.end),
    int(({ chunk }) => chunk.context.start),
    int(({ chunk }) => chunk.context.end),
  ];
}

/** Rejects empty ranges: Postgres treats all of them as equal. */
function endOf({ file, chunk: { span } }: FileChunk): number {
  if (span.end > span.start) return span.end;
  throw new Error(`a chunk of ${file.path} is empty: bytes ${span.start} to ${span.end}`);
}

/** A page of this size takes the database less than a tenth of a second. */
const MIN_PAGE_ROWS = 1000;

interface StoredChunkRow extends ChunkRow {
  readonly text: string;
  readonly vector: string | null;
}

const STORED_CHUNK_COLUMNS = `${CHUNK_COLUMNS}, content_text as text, ${asBase64("embedding::vector")} as vector`;

/** The chunks of these files. */
export async function readChunksOf(
  database: Queryable,
  tables: Tables,
  paths: readonly string[],
): Promise<StoredChunk[]> {
  const chunks: StoredChunk[] = [];
  for (const slice of slices(paths)) {
    const rows = await database.query<StoredChunkRow>(
      `select ${STORED_CHUNK_COLUMNS}
       from ${tables.chunks} chunks left join ${tables.vectors} vectors using (filename, location)
       where chunks.filename = any ($1::text[])
       order by chunks.filename, chunks.location`,
      [texts(slice)],
    );
    chunks.push(...rows.map(toChunk));
  }
  return chunks;
}

/** A page is one statement and ends with its last file: a commit between two pages never shows half a file. */
export async function* readChunks(
  database: Queryable,
  tables: Tables,
): AsyncGenerator<readonly StoredChunk[], void> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const last: string | undefined = await findEndOfPage(database, tables, after);
    const rows = await readPage(database, tables, after, last);
    if (rows.length > 0) yield rows.map(toChunk);
    after = last;
  }
}

/** The path of the last file of a page; undefined for the last page. */
async function findEndOfPage(
  database: Queryable,
  tables: Tables,
  after: string,
): Promise<string | undefined> {
  const [row] = await database.query<{ filename: string }>(
    `select filename from ${tables.chunks} where filename > $1::text
     order by filename, location offset $2::int limit 1`,
    [after, MIN_PAGE_ROWS - 1],
  );
  return row?.filename;
}

/** Both tables get the bounds, so that neither is scanned from its start for each page. */
async function readPage(
  database: Queryable,
  tables: Tables,
  after: string,
  last: string | undefined,
): Promise<StoredChunkRow[]> {
  const isIn = (filename: string) =>
    `${filename} > $1::text ${last === undefined ? "" : `and ${filename} <= $2::text`}`;
  return await database.query<StoredChunkRow>(
    `select ${STORED_CHUNK_COLUMNS}
     from ${tables.chunks} chunks left join ${tables.vectors} vectors
       on vectors.filename = chunks.filename and vectors.location = chunks.location
       and ${isIn("vectors.filename")}
     where ${isIn("chunks.filename")}
     order by chunks.filename, chunks.location`,
    last === undefined ? [after] : [after, last],
  );
}

function toChunk(row: StoredChunkRow): StoredChunk {
  const chunk = { ...toFacts(row), text: row.text };
  return row.vector === null ? chunk : { ...chunk, vector: fromBase64(row.vector) };
}
