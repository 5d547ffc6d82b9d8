/** All chunks of an index with their vectors, in pages of whole files. */

import type { CodeSymbol } from "../model.ts";
import type { StoredChunk } from "../ports.ts";
import { texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";
import { slices } from "./slices.ts";
import { asBase64, fromBase64 } from "./vectors.ts";

/** At least so many chunks are in a page, which holds the database for less than a tenth of a second. */
const PAGE_ROWS = 1000;

interface Row {
  readonly filename: string;
  readonly start: number;
  readonly end: number;
  readonly language_id: string;
  readonly words: string;
  readonly symbols: readonly CodeSymbol[];
  readonly start_line: number;
  readonly end_line: number;
  readonly context_start_line: number;
  readonly context_end_line: number;
  readonly block_type: string | null;
  readonly hierarchy: string | null;
  readonly vector: string | null;
}

const COLUMNS = `chunks.filename, lower(chunks.location) as start, upper(chunks.location) as end,
  language_id, content_tsv_input as words, symbols, start_line, end_line, context_start_line,
  context_end_line, block_type, hierarchy, ${asBase64("embedding")} as vector`;

/** The chunks of these files. */
export async function readChunksOf(
  database: Queryable,
  tables: Tables,
  paths: readonly string[],
): Promise<StoredChunk[]> {
  const chunks: StoredChunk[] = [];
  for (const slice of slices(paths)) {
    const rows = await database.query<Row>(
      `select ${COLUMNS}
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

/** The path with which a page ends; undefined for the last page. */
async function findEndOfPage(
  database: Queryable,
  tables: Tables,
  after: string,
): Promise<string | undefined> {
  const [row] = await database.query<{ filename: string }>(
    `select filename from ${tables.chunks} where filename > $1::text
     order by filename, location offset $2::int limit 1`,
    [after, PAGE_ROWS - 1],
  );
  return row?.filename;
}

/** The bounds stand on both sides, so that neither table is read from its start for every page. */
async function readPage(
  database: Queryable,
  tables: Tables,
  after: string,
  last: string | undefined,
): Promise<Row[]> {
  const isIn = (filename: string) =>
    `${filename} > $1::text ${last === undefined ? "" : `and ${filename} <= $2::text`}`;
  return await database.query<Row>(
    `select ${COLUMNS}
     from ${tables.chunks} chunks left join ${tables.vectors} vectors
       on vectors.filename = chunks.filename and vectors.location = chunks.location
       and ${isIn("vectors.filename")}
     where ${isIn("chunks.filename")}
     order by chunks.filename, chunks.location`,
    last === undefined ? [after] : [after, last],
  );
}

function toChunk(row: Row): StoredChunk {
  return {
    path: row.filename,
    languageId: row.language_id,
    span: { start: row.start, end: row.end },
    lines: { start: row.start_line, end: row.end_line },
    symbols: row.symbols,
    context: { start: row.context_start_line, end: row.context_end_line },
    words: row.words,
    ...(row.block_type === null ? {} : { blockType: row.block_type }),
    ...(row.hierarchy === null ? {} : { hierarchy: row.hierarchy }),
    ...(row.vector === null ? {} : { vector: fromBase64(row.vector) }),
  };
}
