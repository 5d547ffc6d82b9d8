/** Stores chunks. */

import { createHash } from "node:crypto";
import type { CodeSymbol, DescribedChunk, FileRecord } from "../contracts/model.ts";
import { ints, texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";
import { slices } from "./slices.ts";
import { storable } from "./storable.ts";

export interface FileChunk {
  readonly file: FileRecord;
  readonly chunk: DescribedChunk;
}

export async function insertChunks(
  tx: Queryable,
  tables: Tables,
  rows: readonly FileChunk[],
): Promise<void> {
  for (const slice of slices(rows)) {
    await tx.query(
      `insert into ${tables.chunks} (filename, location, content_text, content_tsv_input,
         content_hash, block_type, hierarchy, language_id, symbol_type, symbol_name,
         symbol_signature, symbols, start_line, end_line, context_start_line, context_end_line)
       select filename, int4range(first_byte, end_byte), content_text, content_tsv_input,
         content_hash, block_type, hierarchy, language_id, symbol_type, symbol_name,
         symbol_signature, symbols::jsonb, start_line, end_line, context_start_line, context_end_line
       from unnest($1::text[], $2::int[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[],
         $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::int[],
         $15::int[], $16::int[], $17::int[])
         as row (filename, first_byte, end_byte, content_text, content_tsv_input, content_hash,
           block_type, hierarchy, language_id, symbol_type, symbol_name, symbol_signature, symbols,
           start_line, end_line, context_start_line, context_end_line)`,
      columnsOf(slice),
    );
  }
}

/** What tells whether a chunk's text is still the one that a vector was made from. */
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
    text(({ chunk }) => chunk.words),
    text(({ chunk }) => hashOf(chunk.text)),
    text(({ chunk }) => chunk.blockType),
    text(({ chunk }) => chunk.hierarchy),
    text(({ file }) => file.languageId),
    text(({ chunk }) => chunk.symbols[0]?.type),
    text(({ chunk }) => chunk.symbols[0]?.name),
    text(({ chunk }) => chunk.symbols[0]?.signature),
    text(({ chunk }) => toJson(chunk.symbols)),
    int(({ chunk }) => chunk.lines.start),
    int(({ chunk }) => chunk.lines.end),
    int(({ chunk }) => chunk.context.start),
    int(({ chunk }) => chunk.context.end),
  ];
}

/** An empty range has no place, and Postgres would take all of them for one. */
function endOf({ file, chunk: { span } }: FileChunk): number {
  if (span.end > span.start) return span.end;
  throw new Error(`a chunk of ${file.path} is empty: bytes ${span.start} to ${span.end}`);
}

/** JSON escapes what text may not hold, and jsonb refuses the escapes. */
function toJson(symbols: readonly CodeSymbol[]): string {
  return JSON.stringify(symbols, (_, value: unknown) =>
    typeof value === "string" ? storable(value) : value,
  );
}
