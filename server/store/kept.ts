/**
 * The tables of kept rows: the rows of replaced and removed files, by path and sha256, so that
 * going back to another state of the files parses and embeds nothing. Rows are moved here and back by statements that do not
 * leave the database.
 */

import { getOrCreate } from "../common/get-or-create.ts";
import { FACTS_VERSION } from "../contracts/facts.ts";
import { type FileRecord, type IndexRecord, PARSE_TIMEOUT } from "../contracts/model.ts";
import { CHUNK_TABLE_COLUMNS } from "./chunks.ts";
import { ints, texts } from "./columns.ts";
import { hasTable, type Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

/** Long enough for the branches of a week's work. */
const KEPT_FOR_DAYS = 7;
/**
 * At most as many chunks are kept as the index has, so that a branch that differs in every file can be kept whole and the
 * tables at most double; and not more than this many, which take 200 MB.
 */
const MAX_KEPT_CHUNKS = 50_000;

/** The model and the version of the chunker that make the rows of an index. */
type MadeWith = Pick<IndexRecord, "modelId" | "chunkerVersion">;

/** A content of a file. */
export type KeptFile = Pick<FileRecord, "path" | "sha256" | "statFingerprint">;

async function createKeptTables(tx: Queryable, tables: Tables): Promise<void> {
  const { kept, chunks, vectors } = tables;
  if (await hasTable(tx, tables.kept.files)) return;
  await tx.query(`
-- Files whose content was replaced or removed, with their parse status and facts. Written by kept.ts.
create table ${kept.files} (
  id int generated always as identity primary key,
  path text collate "C" not null,
  sha256 text not null,
  kept_at timestamptz not null default now(),
  size bigint not null,
  mtime double precision not null,
  language text not null,
  category text not null,
  secrets int not null,
  chunks int not null,
  parse_status text not null,
  error_message text,
  facts bytea not null,
  -- The model and the versions of the chunker and of the facts.
  made_by text not null,
  unique (path, sha256)
);
alter table ${kept.files} alter column facts set storage external;

-- Their chunks and vectors, by the id of the file.
create table ${kept.chunks} (file int not null, like ${chunks} including storage);
create table ${kept.vectors} (file int not null, like ${vectors} including storage);
alter table ${kept.chunks} set (toast_tuple_target = 256);
create index on ${kept.chunks} (file);
create index on ${kept.vectors} (file);
`);
}

export async function dropKeptTables(tx: Queryable, { kept }: Tables): Promise<void> {
  await tx.query(`drop table if exists ${kept.files}, ${kept.chunks}, ${kept.vectors}`);
}

/**
 * Copies the rows of these files, before they are deleted. Not those whose rows depend on more than the content: files that
 * need a declared encoding, and files whose parsing timed out.
 */
export async function keepRows(
  tx: Queryable,
  tables: Tables,
  paths: readonly string[],
  record: IndexRecord,
): Promise<void> {
  await createKeptTables(tx, tables);
  const { kept, files, parseResults, tracking, chunks, vectors } = tables;
  const again = await tx.query<{ id: number }>(
    `select kept.id from ${kept.files} kept join ${files} using (path, sha256) where path = any($1::text[])`,
    [texts(paths)],
  );
  await deleteKept(tx, tables, idsOf(again));
  const added = await tx.query<{ id: number; path: string }>(
    `insert into ${kept.files} (path, sha256, size, mtime, language, category, secrets, chunks,
       parse_status, error_message, facts, made_by)
     select path, sha256, size, mtime, files.language, category, secrets, chunks,
       parse_status, error_message, facts, $3::text
     from ${files} files
       join ${parseResults} on file_path = path
       join ${tracking} tracking on tracking.file_path = path and content_hash = sha256
     where path = any($1::text[]) and facts_version = ${FACTS_VERSION} and encoding is null
       and not (parse_status = 'error' and starts_with(coalesce(error_message, ''), $2::text))
     returning id, path`,
    [texts(paths), PARSE_TIMEOUT, madeBy(record)],
  );
  if (added.length === 0) return;
  for (const [to, from] of [
    [kept.chunks, chunks],
    [kept.vectors, vectors],
  ] as const) {
    await tx.query(
      `insert into ${to} select row.id, from_table.*
       from unnest($1::int[], $2::text[]) as row (id, path)
         join ${from} from_table on from_table.filename = row.path`,
      [ints(idsOf(added)), texts(added.map(({ path }) => path))],
    );
  }
}

/** The hashes of the kept contents by path: of these paths, or of all. */
export async function findKept(
  database: Queryable,
  tables: Tables,
  paths?: readonly string[],
): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  if (!(await hasTable(database, tables.kept.files))) return found;
  const rows = await database.query<{ path: string; sha256: string }>(
    `select path, sha256 from ${tables.kept.files} where $1::text[] is null or path = any($1::text[])`,
    [paths === undefined ? null : texts(paths)],
  );
  for (const { path, sha256 } of rows) getOrCreate(found, path, () => new Set()).add(sha256);
  return found;
}

/**
 * An older program, which does not know these tables, may have changed the model or the chunker of the index, and a newer one
 * may have other facts.
 */
function madeBy({ modelId, chunkerVersion }: MadeWith): string {
  return JSON.stringify([modelId, chunkerVersion, FACTS_VERSION]);
}

/** A kept content, and the stat fingerprint of the file that has it now. */
interface KeptContent {
  readonly id: number;
  readonly path: string;
  readonly stamp: string | null;
}

/** These contents, kept by `from`. Without contents that `to` has stored at present, or that have lost chunks. */
export async function findContents(
  tx: Queryable,
  { from, to }: { readonly from: Tables; readonly to: Tables },
  wanted: readonly KeptFile[],
  record: MadeWith,
): Promise<KeptContent[]> {
  const { kept } = from;
  const { files } = to;
  if (!(await hasTable(tx, kept.files))) return [];
  return await tx.query<KeptContent>(
    `select kept.id, kept.path, wanted.stamp
     from unnest($1::text[], $2::text[], $3::text[]) as wanted (path, sha256, stamp)
       join ${kept.files} kept on kept.path = wanted.path and kept.sha256 = wanted.sha256
       left join ${files} files on files.path = wanted.path and files.sha256 = wanted.sha256
     where files.path is null and kept.made_by = $4::text
       and kept.chunks = (select count(*) from ${kept.chunks} where file = kept.id)`,
    [
      texts(wanted.map(({ path }) => path)),
      texts(wanted.map(({ sha256 }) => sha256)),
      texts(wanted.map(({ statFingerprint }) => statFingerprint ?? null)),
      madeBy(record),
    ],
  );
}

/** Copies rows that `from` has kept to the tables of `to`, where the paths have no rows except edges. */
export async function restoreRows(
  tx: Queryable,
  { from, to }: { readonly from: Tables; readonly to: Tables },
  restored: readonly KeptContent[],
): Promise<void> {
  if (restored.length === 0) return;
  const { kept } = from;
  const { files, parseResults, tracking, chunks, vectors } = to;
  const ids = ints(idsOf(restored));
  await tx.query(
    `insert into ${files}
       (path, sha256, size, mtime, stamp, language, category, secrets, is_encoding_guessed, chunks)
     select path, sha256, size, mtime, row.stamp, language, category, secrets, false, chunks
     from unnest($1::int[], $2::text[]) as row (id, stamp) join ${kept.files} using (id)`,
    [ids, texts(restored.map(({ stamp }) => stamp))],
  );
  await tx.query(
    `insert into ${parseResults} (file_path, language, parse_status, error_message)
     select path, language, parse_status, error_message from ${kept.files} where id = any($1::int[])`,
    [ids],
  );
  await tx.query(
    `insert into ${chunks} (${CHUNK_TABLE_COLUMNS})
     select ${CHUNK_TABLE_COLUMNS} from ${kept.chunks} where file = any($1::int[])`,
    [ids],
  );
  await tx.query(
    `insert into ${vectors} (filename, location, embedding)
     select filename, location, embedding from ${kept.vectors} where file = any($1::int[])`,
    [ids],
  );
  await tx.query(
    `insert into ${tracking} (file_path, content_hash, facts_version, facts, edges_hash)
     select path, sha256, ${FACTS_VERSION}, facts, '' from ${kept.files} where id = any($1::int[])`,
    [ids],
  );
}

/** Deletes rows that were kept for a week at `nowMs`, and the oldest rows beyond the budget. */
export async function pruneKept(tx: Queryable, tables: Tables, nowMs: number): Promise<void> {
  const { kept, files } = tables;
  if (!(await hasTable(tx, tables.kept.files))) return;
  const rows = await tx.query<{ id: number }>(
    `select id from (
       select id, kept_at, sum(chunks) over (order by kept_at desc, id desc) as total from ${kept.files}
     ) as ranked
     where kept_at < to_timestamp($1::float8) - interval '${KEPT_FOR_DAYS} days'
       or total > least(${MAX_KEPT_CHUNKS}, (select coalesce(sum(chunks), 0) from ${files}))`,
    [String(nowMs / 1000)],
  );
  await deleteKept(tx, tables, idsOf(rows));
}

export async function deleteKept(
  tx: Queryable,
  { kept }: Tables,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const [table, column] of [
    [kept.vectors, "file"],
    [kept.chunks, "file"],
    [kept.files, "id"],
  ] as const) {
    await tx.query(`delete from ${table} where ${column} = any($1::int[])`, [ints(ids)]);
  }
}

function idsOf(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id);
}
