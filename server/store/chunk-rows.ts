/** What is told of a stored chunk: the columns that are read of its row, and what becomes of them. */

import type { ChunkFacts } from "../contracts/lanes.ts";
import type { CodeSymbol } from "../contracts/model.ts";

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

/** Of a table that the statement calls `chunks`. */
export const CHUNK_COLUMNS = `chunks.filename, lower(chunks.location) as start,
  upper(chunks.location) as end, language_id, symbols, start_line, end_line, context_start_line,
  context_end_line, block_type, hierarchy`;

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
