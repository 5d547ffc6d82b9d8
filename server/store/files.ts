/** The tables `files` and `parse_results`: the indexed files and their parse status. */

import { type FileEncoding, PARSE_TIMEOUT } from "../contracts/model.ts";
import type { FileCommit, ParseSummary } from "../contracts/store.ts";
import { ints, storable, texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

export async function insertFiles(
  tx: Queryable,
  tables: Tables,
  files: readonly FileCommit[],
): Promise<void> {
  if (files.length === 0) return;
  const records = files.map(({ file }) => file);
  const paths = texts(records.map(({ path }) => path));
  const languages = texts(records.map(({ languageId }) => languageId));
  await tx.query(
    `insert into ${tables.files}
       (path, sha256, size, mtime, stamp, language, category, secrets, chunks, encoding, is_encoding_guessed)
     select path, sha256, size::bigint, mtime::float8, stamp, language, category, secrets, chunks, encoding, guessed > 0
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::int[], $9::int[], $10::text[], $11::int[])
       as row (path, sha256, size, mtime, stamp, language, category, secrets, chunks, encoding, guessed)`,
    [
      paths,
      texts(records.map(({ sha256 }) => sha256)),
      texts(records.map(({ size }) => String(size))),
      texts(records.map(({ mtimeMs }) => String(mtimeMs))),
      texts(records.map(({ statFingerprint }) => statFingerprint ?? null)),
      languages,
      texts(records.map(({ category }) => category)),
      ints(records.map(({ secrets }) => secrets)),
      ints(files.map(({ chunks }) => chunks.length)),
      texts(records.map(({ encoding }) => encoding?.name ?? null)),
      ints(records.map(({ encoding }) => Number(encoding?.isGuess === true))),
    ],
  );
  await tx.query(
    `insert into ${tables.parseResults} (file_path, language, parse_status, error_message)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])`,
    [
      paths,
      languages,
      texts(records.map(({ parse }) => parse.status)),
      texts(records.map(({ parse }) => storable(parse.message))),
    ],
  );
}

/** Returns the paths that were stored. */
export async function deleteFileRows(
  tx: Queryable,
  tables: Tables,
  paths: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ path: string }>(
    `delete from ${tables.files} where path = any($1::text[]) returning path`,
    [texts(paths)],
  );
  return rows.map(({ path }) => path);
}

/** The sha256 of each file by its path. */
export async function readHashes(
  database: Queryable,
  tables: Tables,
): Promise<Map<string, string>> {
  const rows = await database.query<{ path: string; sha256: string }>(
    `select path, sha256 from ${tables.files} order by path`,
  );
  return new Map(rows.map(({ path, sha256 }) => [path, sha256]));
}

/** Stat fingerprints by path, to recognize unchanged files without reading them. Files that were too young when read have none. */
export async function readStatFingerprints(
  database: Queryable,
  tables: Tables,
): Promise<Map<string, string>> {
  const rows = await database.query<{ path: string; stamp: string }>(
    `select path, stamp from ${tables.files} where stamp is not null`,
  );
  return new Map(rows.map(({ path, stamp }) => [path, stamp]));
}

interface EncodingRow {
  readonly path: string;
  readonly encoding: string;
  readonly is_encoding_guessed: boolean;
}

/** The encodings of files that are not plainly UTF-8 or marked by a byte order mark. */
export async function readEncodings(
  database: Queryable,
  tables: Tables,
): Promise<Map<string, FileEncoding>> {
  const rows = await database.query<EncodingRow>(
    `select path, encoding, is_encoding_guessed from ${tables.files} where encoding is not null`,
  );
  return new Map(
    rows.map((row) => [row.path, { name: row.encoding, isGuess: row.is_encoding_guessed }]),
  );
}

/** Files that were chunked without their grammar because parsing timed out. */
export async function readUnfinished(database: Queryable, tables: Tables): Promise<string[]> {
  const rows = await database.query<{ path: string }>(
    `select file_path as path from ${tables.parseResults}
     where parse_status = 'error' and starts_with(error_message, $1) order by file_path`,
    [PARSE_TIMEOUT],
  );
  return rows.map(({ path }) => path);
}

/** For files whose content is unchanged. */
export async function writeStatFingerprints(
  tx: Queryable,
  tables: Tables,
  statFingerprints: ReadonlyMap<string, string>,
): Promise<void> {
  await tx.query(
    `update ${tables.files} files set stamp = row.stamp
     from unnest($1::text[], $2::text[]) as row (path, stamp) where files.path = row.path`,
    [texts([...statFingerprints.keys()]), texts([...statFingerprints.values()])],
  );
}

/** Forgets all fingerprints and exclusions: the next pass reads every file again. */
export async function forgetStatFingerprints(tx: Queryable, tables: Tables): Promise<void> {
  await tx.query(`update ${tables.files} set stamp = null`);
  await tx.query(`delete from ${tables.exclusions}`);
}

/** The number of chunks that were not stored because they contain a secret, by path. */
export async function readRedactedChunks(
  database: Queryable,
  tables: Tables,
  limit: number,
): Promise<Map<string, number>> {
  const rows = await database.query<{ path: string; secrets: number }>(
    `select path, secrets from ${tables.files} where secrets > 0 order by path limit ${limit}`,
  );
  return new Map(rows.map(({ path, secrets }) => [path, secrets]));
}

interface ParseCountRow {
  readonly language: string;
  readonly ok: number;
  readonly partial: number;
  readonly error: number;
  readonly no_grammar: number;
}

interface WorstFileRow {
  readonly language: string;
  readonly path: string;
  readonly message: string;
}

/** Per language. */
const MAX_WORST_FILES = 3;

export async function summarizeParse(database: Queryable, tables: Tables): Promise<ParseSummary[]> {
  const rows = await database.query<ParseCountRow>(
    `select language,
       count(*) filter (where parse_status = 'ok')::int as ok,
       count(*) filter (where parse_status = 'partial')::int as partial,
       count(*) filter (where parse_status = 'error')::int as error,
       count(*) filter (where parse_status = 'no_grammar')::int as no_grammar
     from ${tables.parseResults} group by language order by language`,
  );
  const worst = await database.query<WorstFileRow>(
    `select language, file_path as path, coalesce(error_message, '') as message from (
       select *, row_number() over (partition by language order by
         (parse_status = 'error') desc,
         coalesce(substring(error_message from '^([0-9]+) %')::int, 100) desc,
         file_path) as place
       from ${tables.parseResults} where parse_status in ('partial', 'error')
     ) as ranked where place <= ${MAX_WORST_FILES} order by language, place`,
  );
  return rows.map(({ language, no_grammar: noGrammar, ...counts }) => ({
    languageId: language,
    ...counts,
    noGrammar,
    worst: worst
      .filter((row) => row.language === language)
      .map(({ path, message }) => ({ path, message })),
  }));
}
