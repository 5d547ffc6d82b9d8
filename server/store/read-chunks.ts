/** All chunks of an index with their vectors, in pages of whole files. */

import type { StoredChunk } from "../contracts/store.ts";
import { CHUNK_COLUMNS, type ChunkRow, toFacts } from "./chunk-rows.ts";
import { texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";
import { slices } from "./slices.ts";
import { asBase64, fromBase64 } from "./vectors.ts";

/** At least so many chunks are in a page, which holds the database for less than a tenth of a second. */
const PAGE_ROWS = 1000;

interface Row extends ChunkRow {
  readonly words: string;
  readonly vector: string | null;
}

const COLUMNS = `${CHUNK_COLUMNS}, content_tsv_input as words, ${asBase64("embedding")} as vector`;

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
  const chunk = { ...toFacts(row), words: row.words };
  return row.vector === null ? chunk : { ...chunk, vector: fromBase64(row.vector) };
}
