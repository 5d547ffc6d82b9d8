/** The tables of the dependency graph: facts per file, and the import edges that were resolved from them. */

import { FACTS_VERSION } from "../contracts/facts.ts";
import type { FileDependencies, StoredFacts } from "../contracts/graph.ts";
import { NO_FACTS } from "../contracts/packed-facts.ts";
import type { FileCommit } from "../contracts/store.ts";
import { tablesOfEdgeHashes } from "./borrowed-rows.ts";
import { bytes, ints, slices, storable, storableJson, texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
import { deleteRows } from "./delete-rows.ts";
import type { Tables } from "./names.ts";

/** The facts as base64, which both databases return faster than bytea. */
const FACTS = "encode(facts, 'base64') as facts";

/** For files without facts. */
export async function insertFacts(
  tx: Queryable,
  tables: Tables,
  files: readonly FileCommit[],
): Promise<void> {
  for (const slice of slices(files)) {
    await tx.query(
      `insert into ${tables.tracking} (file_path, content_hash, facts_version, facts, edges_hash)
       select *, '' from unnest($1::text[], $2::text[], $3::int[], $4::bytea[])`,
      [
        texts(slice.map(({ file }) => file.path)),
        texts(slice.map(({ file }) => file.sha256)),
        ints(slice.map(() => FACTS_VERSION)),
        bytes(slice.map(({ facts = NO_FACTS }) => facts)),
      ],
    );
  }
}

interface FactsRow {
  readonly path: string;
  readonly facts: string;
  readonly edges_hash: string;
}

/** Larger pages are not faster, and a row may have a megabyte. */
const PAGE_ROWS = 200;

/**
 * Pages of facts of the current version, ordered by path. Skips facts whose hash is not that of the stored file. Both tables get
 * the bounds of the page, because Postgres would read both for each page otherwise.
 */
export async function* readFacts(
  database: Queryable,
  tables: Tables,
): AsyncGenerator<readonly StoredFacts[]> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const last: string | undefined = await findEndOfPage(database, tables, after);
    const rows = await readPage(database, tables, after, last);
    if (rows.length > 0) yield rows.map(toStoredFacts);
    after = last;
  }
}

/** The path of the last file of a page; undefined for the last page. */
async function findEndOfPage(
  database: Queryable,
  { files }: Tables,
  after: string,
): Promise<string | undefined> {
  const [row] = await database.query<{ path: string }>(
    `select path from ${files} where path > $1::text order by path offset ${PAGE_ROWS - 1} limit 1`,
    [after],
  );
  return row?.path;
}

async function readPage(
  database: Queryable,
  { tracking, files }: Tables,
  after: string,
  last: string | undefined,
): Promise<FactsRow[]> {
  const isIn = (path: string) =>
    `${path} > $1::text ${last === undefined ? "" : `and ${path} <= $2::text`}`;
  return await database.query<FactsRow>(
    `select path, ${FACTS}, edges_hash
     from ${tracking} tracking join ${files} on file_path = path and content_hash = sha256
     where facts_version = ${FACTS_VERSION} and ${isIn("file_path")} and ${isIn("path")}
     order by path`,
    last === undefined ? [after] : [after, last],
  );
}

export async function readFactsOf(
  database: Queryable,
  tables: Tables,
  paths: readonly string[],
): Promise<readonly StoredFacts[]> {
  const rows = await database.query<FactsRow>(
    `select file_path as path, ${FACTS}, edges_hash from ${tables.tracking}
     where file_path = any($1::text[]) and facts_version = ${FACTS_VERSION}`,
    [texts(paths)],
  );
  return rows.map(toStoredFacts);
}

function toStoredFacts({ path, facts, edges_hash: edgesHash }: FactsRow): StoredFacts {
  return { path, facts: Buffer.from(facts, "base64"), edgesHash };
}

/** Files without facts of the current version, stored by an older or newer program. */
export async function readPathsWithoutFacts(
  database: Queryable,
  tables: Tables,
): Promise<readonly string[]> {
  const rows = await database.query<{ path: string }>(
    `select path from ${tables.files} where not exists (
       select from ${tables.tracking}
       where file_path = path and content_hash = sha256 and facts_version = ${FACTS_VERSION})`,
  );
  return rows.map(({ path }) => path);
}

/** False if a process ended between committing a file and committing its edges. */
export async function readHasAllEdges(database: Queryable, tables: Tables): Promise<boolean> {
  const [row] = await database.query<{ hasAll: boolean }>(
    `select not exists (select from ${tables.tracking} where edges_hash = '') as "hasAll"`,
  );
  return row?.hasAll === true;
}

export async function readImporterCounts(
  database: Queryable,
  tables: Tables,
): Promise<Map<string, number>> {
  const rows = await database.query<{ path: string; count: number }>(
    `select target_file as path, count(distinct source_file)::int as count
     from ${tables.dependencies} where dep_type = 'import' and target_file is not null
     group by target_file`,
  );
  return new Map(rows.map(({ path, count }) => [path, count]));
}

/** An edge takes a tenth of the space of a chunk. */
const EDGES_PER_STATEMENT = 1_000;

/** Replaces the edges of files. */
export async function replaceDependencies(
  tx: Queryable,
  tables: Tables,
  files: readonly FileDependencies[],
): Promise<void> {
  const paths = files.map(({ path }) => path);
  await deleteRows(tx, tables.dependencies, "source_file", paths);
  for (const slice of slices(
    files.flatMap(({ rows }) => rows),
    EDGES_PER_STATEMENT,
  )) {
    await tx.query(
      `insert into ${tables.dependencies} (source_file, target_file, target_symbol, dep_type, line,
         confidence, how, metadata)
       select source_file, target_file, target_symbol, dep_type, line, confidence::real, how,
         metadata::jsonb
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[],
         $8::text[])
         as row (source_file, target_file, target_symbol, dep_type, line, confidence, how, metadata)`,
      [
        texts(slice.map(({ sourceFile }) => sourceFile)),
        texts(slice.map(({ targetFile }) => targetFile ?? null)),
        texts(slice.map(({ targetSymbol }) => storable(targetSymbol))),
        texts(slice.map(({ type }) => type)),
        ints(slice.map(({ line }) => line)),
        texts(slice.map(({ confidence }) => String(confidence))),
        texts(slice.map(({ how }) => how)),
        texts(slice.map(({ metadata }) => storableJson(metadata))),
      ],
    );
  }
  const hashes = [texts(paths), texts(files.map(({ hash }) => hash))];
  for (const [table, path] of await tablesOfEdgeHashes(tx, tables)) {
    await tx.query(
      `update ${table} set edges_hash = row.hash
       from unnest($1::text[], $2::text[]) as row (path, hash) where ${path} = row.path`,
      hashes,
    );
  }
}
