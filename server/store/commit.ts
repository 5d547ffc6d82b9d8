/** Replaces files in one transaction: a reader sees all of it or nothing. */

import { createHash } from "node:crypto";
import type { DescribedChunk } from "../model.ts";
import type { FileCommit } from "../ports.ts";
import type { Parameter, Queryable } from "./database.ts";
import { insertRows } from "./insert.ts";
import type { Tables } from "./names.ts";
import { checkVector, toBinary } from "./vectors.ts";

type ChunkRow = { readonly file: FileCommit["file"]; readonly chunk: DescribedChunk };
type VectorRow = ChunkRow & { readonly vector: Float32Array };

export async function commitFiles(
  tx: Queryable,
  tables: Tables,
  files: readonly FileCommit[],
  removed: readonly string[],
): Promise<void> {
  const paths = [...removed, ...files.map(({ file }) => file.path)];
  await deleteFiles(tx, tables, paths);
  await insertRows(
    tx,
    `${tables.files} (path, sha256, size, mtime, language, category)`,
    files,
    ({ file }) => [file.path, file.sha256, file.size, file.mtimeMs, file.languageId, file.category],
    (at) =>
      `${at(0)}::text, ${at(1)}::text, ${at(2)}::bigint, ${at(3)}::float8, ${at(4)}::text, ${at(5)}::text`,
  );
  await insertRows(
    tx,
    `${tables.parseResults} (file_path, language, parse_status, error_message)`,
    files,
    ({ file: { path, languageId, parse } }) => [
      path,
      languageId,
      parse.status,
      clean(parse.message),
    ],
    (at) => `${at(0)}::text, ${at(1)}::text, ${at(2)}::text, ${at(3)}::text`,
  );
  const chunks = files.flatMap(({ file, chunks: own }) => own.map((chunk) => ({ file, chunk })));
  await insertChunks(tx, tables, chunks);
  const vectors = files.flatMap(({ file, chunks: own, vectors: given }) =>
    own.flatMap((chunk, i) => {
      const vector = given[i];
      return vector === undefined ? [] : [{ file, chunk, vector }];
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

async function insertChunks(
  tx: Queryable,
  tables: Tables,
  rows: readonly ChunkRow[],
): Promise<void> {
  await insertRows(
    tx,
    `${tables.chunks} (filename, location, content_text, content_tsv_input, content_hash, block_type,
      hierarchy, language_id, symbol_type, symbol_name, symbol_signature, symbols, start_line, end_line,
      context_start_line, context_end_line)`,
    rows,
    chunkParameters,
    (at) =>
      `${at(0)}::text, int4range(${at(1)}::int, ${at(2)}::int), ${at(3)}::text, ${at(4)}::text,
      ${at(5)}::text, ${at(6)}::text, ${at(7)}::text, ${at(8)}::text, ${at(9)}::text, ${at(10)}::text,
      ${at(11)}::text, ${at(12)}::jsonb, ${at(13)}::int, ${at(14)}::int, ${at(15)}::int, ${at(16)}::int`,
  );
}

function chunkParameters({ file, chunk }: ChunkRow): Parameter[] {
  const [own] = chunk.symbols;
  if (chunk.span.end <= chunk.span.start) throw new Error(`an empty chunk in ${file.path}`);
  return [
    file.path,
    chunk.span.start,
    chunk.span.end,
    clean(chunk.text),
    clean(chunk.words),
    hashOf(chunk.text),
    clean(chunk.blockType),
    clean(chunk.hierarchy),
    file.languageId,
    own?.type ?? null,
    clean(own?.name),
    clean(own?.signature),
    JSON.stringify(chunk.symbols, (_, value: unknown) =>
      typeof value === "string" ? clean(value) : value,
    ),
    chunk.lines.start,
    chunk.lines.end,
    chunk.context.start,
    chunk.context.end,
  ];
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
    ({ file, chunk: { span }, vector }) => [file.path, span.start, span.end, toBinary(vector)],
    (at) => `${at(0)}::text, int4range(${at(1)}::int, ${at(2)}::int), ${at(3)}::vector`,
  );
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Postgres refuses the character NUL, and UTF-8 has no half of a surrogate pair. */
function clean(text: string): string;
function clean(text: string | undefined): string | null;
function clean(text: string | undefined): string | null {
  return text?.replaceAll(/\0|\p{Surrogate}/gu, "\ufffd") ?? null;
}
