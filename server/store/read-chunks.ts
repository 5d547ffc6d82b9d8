/** All chunks of an index with their vectors, in pages by primary key. */

import type { CodeSymbol } from "../model.ts";
import type { StoredChunk } from "../ports.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";
import { asBase64, fromBase64 } from "./vectors.ts";

/** One page holds the database for about a tenth of a second. */
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

export async function* readChunks(
  database: Queryable,
  tables: Tables,
): AsyncGenerator<readonly StoredChunk[]> {
  let after: readonly [string, number, number] | undefined;
  for (;;) {
    const where =
      after === undefined
        ? ""
        : "where (chunks.filename, chunks.location) > ($1::text, int4range($2::int, $3::int))";
    const rows = await database.query<Row>(
      `select chunks.filename, lower(chunks.location) as start, upper(chunks.location) as end,
         language_id, content_tsv_input as words, symbols, start_line, end_line, context_start_line,
         context_end_line, block_type, hierarchy, ${asBase64("embedding")} as vector
       from ${tables.chunks} chunks left join ${tables.vectors} vectors using (filename, location)
       ${where} order by chunks.filename, chunks.location limit ${PAGE_ROWS}`,
      after,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    after = [last.filename, last.start, last.end];
    yield rows.map(toChunk);
  }
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
