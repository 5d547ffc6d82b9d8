/** Replaces files in one transaction: a reader sees all of it or nothing. */

import { createHash } from "node:crypto";
import type { ByteSpan, DescribedChunk, FileRecord } from "../model.ts";
import type { FileCommit } from "../ports.ts";
import type { Queryable } from "./database.ts";
import { insertRecords, insertRows, type Row } from "./insert.ts";
import type { Tables } from "./names.ts";
import { checkVector, toBinary } from "./vectors.ts";

interface VectorRow {
  readonly path: string;
  readonly span: ByteSpan;
  readonly vector: Float32Array;
}

export async function commitFiles(
  tx: Queryable,
  tables: Tables,
  files: readonly FileCommit[],
  removed: readonly string[],
): Promise<void> {
  await deleteFiles(tx, tables, [...removed, ...files.map(({ file }) => file.path)]);
  const records = files.map(({ file }) => file);
  await insertRecords(tx, FILE_COLUMNS, tables.files, records.map(fileRow));
  await insertRecords(tx, PARSE_COLUMNS, tables.parseResults, records.map(parseRow));
  const chunks = files.flatMap(({ file, chunks: own }) =>
    own.map((chunk) => chunkRow(file, chunk)),
  );
  await insertRecords(tx, CHUNK_COLUMNS, tables.chunks, chunks);
  const vectors = files.flatMap(({ file: { path }, chunks: own, vectors: given }) =>
    own.flatMap(({ span }, i) => {
      const vector = given[i];
      return vector === undefined ? [] : [{ path, span, vector }];
    }),
  );
  await insertVectors(tx, tables, vectors);
}

async function deleteFiles(tx: Queryable, tables: Tables, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const which = [JSON.stringify(paths)];
  const list = "(select json_array_elements_text($1::json))";
  await tx.query(`delete from ${tables.vectors} where filename in ${list}`, which);
  await tx.query(`delete from ${tables.chunks} where filename in ${list}`, which);
  await tx.query(`delete from ${tables.files} where path in ${list}`, which);
  await tx.query(`delete from ${tables.parseResults} where file_path in ${list}`, which);
}

const FILE_COLUMNS = {
  path: "text",
  sha256: "text",
  size: "bigint",
  mtime: "float8",
  language: "text",
  category: "text",
};

function fileRow(file: FileRecord): Row<typeof FILE_COLUMNS> {
  return {
    path: file.path,
    sha256: file.sha256,
    size: file.size,
    mtime: file.mtimeMs,
    language: file.languageId,
    category: file.category,
  };
}

const PARSE_COLUMNS = {
  file_path: "text",
  language: "text",
  parse_status: "text",
  error_message: "text",
};

function parseRow({ path, languageId, parse }: FileRecord): Row<typeof PARSE_COLUMNS> {
  return {
    file_path: path,
    language: languageId,
    parse_status: parse.status,
    error_message: parse.message,
  };
}

const CHUNK_COLUMNS = {
  filename: "text",
  location: "int4range",
  content_text: "text",
  content_tsv_input: "text",
  content_hash: "text",
  block_type: "text",
  hierarchy: "text",
  language_id: "text",
  symbol_type: "text",
  symbol_name: "text",
  symbol_signature: "text",
  symbols: "jsonb",
  start_line: "int",
  end_line: "int",
  context_start_line: "int",
  context_end_line: "int",
};

function chunkRow(file: FileRecord, chunk: DescribedChunk): Row<typeof CHUNK_COLUMNS> {
  const [own] = chunk.symbols;
  const { start, end } = chunk.span;
  if (end <= start) throw new Error(`an empty chunk in ${file.path}`);
  return {
    filename: file.path,
    location: `[${start},${end})`,
    content_text: chunk.text,
    content_tsv_input: chunk.words,
    content_hash: hashOf(chunk.text),
    block_type: chunk.blockType,
    hierarchy: chunk.hierarchy,
    language_id: file.languageId,
    symbol_type: own?.type,
    symbol_name: own?.name,
    symbol_signature: own?.signature,
    symbols: chunk.symbols,
    start_line: chunk.lines.start,
    end_line: chunk.lines.end,
    context_start_line: chunk.context.start,
    context_end_line: chunk.context.end,
  };
}

async function insertVectors(
  tx: Queryable,
  tables: Tables,
  rows: readonly VectorRow[],
): Promise<void> {
  for (const { vector } of rows) checkVector(vector, rows[0]?.vector.length);
  await insertRows(
    tx,
    `${tables.vectors} (filename, location, embedding)`,
    rows,
    ({ path, span, vector }) => [path, span.start, span.end, toBinary(vector)],
    (at) => `${at(0)}::text, int4range(${at(1)}::int, ${at(2)}::int), ${at(3)}::vector`,
  );
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
