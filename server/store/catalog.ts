/** The table `cocosearch_indexes`, with a row and an advisory lock per index. */

import type { IndexRecord } from "../contracts/model.ts";
import type { Queryable, SqlParameter } from "./database.ts";
import type { Tables } from "./names.ts";

interface Row {
  readonly name: string;
  readonly root: string;
  readonly model_id: string;
  readonly dimension: number;
  readonly chunker_version: string;
  readonly schema_version: number;
  readonly commit_hash: string | null;
  readonly branch: string | null;
  readonly state: IndexRecord["state"];
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly installation: string | null;
  readonly worktree_of: string | null;
  readonly lender: string | null;
  /** Only where the rights of publishers are per repository. */
  readonly publisher?: string;
}

/** A row of the catalog. */
export interface CatalogEntry extends IndexRecord {
  /** The installation that owns the index, in a shared database. */
  readonly keeper?: string;
  /** The index that lends rows to this one, or has lent some. */
  readonly lender?: string;
  /** The role that published the index, whose schema has its tables. */
  readonly publisher?: string;
}

/** Serializes transactions that write one index, also between engines on several machines. */
export async function lockIndex(tx: Queryable, name: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended($1::text, 0))", [name]);
}

export async function listRecords(database: Queryable): Promise<CatalogEntry[]> {
  const rows = await database.query<Row>("select * from cocosearch_indexes order by name");
  return rows.map(toRecord);
}

export async function findRecord(
  database: Queryable,
  name: string,
): Promise<CatalogEntry | undefined> {
  const rows = await database.query<Row>("select * from cocosearch_indexes where name = $1::text", [
    name,
  ]);
  return rows[0] && toRecord(rows[0]);
}

export async function insertRecord(
  tx: Queryable,
  record: Omit<CatalogEntry, "createdAt" | "updatedAt" | "state">,
): Promise<void> {
  await tx.query(
    `insert into cocosearch_indexes
       (name, root, model_id, dimension, chunker_version, schema_version, installation, worktree_of)
     values ($1::text, $2::text, $3::text, $4::int, $5::text, $6::int, $7::text, $8::text)`,
    [
      record.name,
      record.root,
      record.modelId,
      record.dimension,
      record.chunkerVersion,
      record.schemaVersion,
      record.keeper ?? null,
      record.worktreeOf ?? null,
    ],
  );
}

/** Makes the installation the owner of an index without one. False if the index has an owner. */
export async function adoptRecord(
  tx: Queryable,
  name: string,
  installation: string,
): Promise<boolean> {
  const adopted = await tx.query(
    `update cocosearch_indexes set installation = $2::text
     where name = $1::text and installation is null returning name`,
    [name, installation],
  );
  return adopted.length > 0;
}

/** Stores the repository of a linked worktree, for an index that was made before it was one or before it was stored. */
export async function updateWorktree(
  tx: Queryable,
  { name, worktreeOf }: Pick<CatalogEntry, "name" | "worktreeOf">,
): Promise<void> {
  await tx.query("update cocosearch_indexes set worktree_of = $2::text where name = $1::text", [
    name,
    worktreeOf ?? null,
  ]);
}

export async function setLender(tx: Queryable, name: string, lender: string): Promise<void> {
  await tx.query("update cocosearch_indexes set lender = $2::text where name = $1::text", [
    name,
    lender,
  ]);
}

/** The names of the indexes that borrow rows of this one, or have borrowed some. */
export async function findBorrowers(tx: Queryable, lender: string): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    "select name from cocosearch_indexes where lender = $1::text",
    [lender],
  );
  return rows.map(({ name }) => name);
}

/** False if there was no such index. */
export async function removeRecord(tx: Queryable, name: string): Promise<boolean> {
  const removed = await tx.query(
    "delete from cocosearch_indexes where name = $1::text returning name",
    [name],
  );
  return removed.length > 0;
}

const COLUMNS = {
  modelId: "model_id",
  dimension: "dimension",
  chunkerVersion: "chunker_version",
  commit: "commit_hash",
  branch: "branch",
  state: "state",
} as const;

export type RecordChanges = Partial<Pick<IndexRecord, keyof typeof COLUMNS>>;

export async function updateRecord(
  tx: Queryable,
  name: string,
  changes: RecordChanges,
): Promise<void> {
  const sets = ["updated_at = now()"];
  const parameters: SqlParameter[] = [name];
  for (const [key, column] of Object.entries(COLUMNS)) {
    const value = changes[key as keyof RecordChanges];
    if (value === undefined) continue;
    parameters.push(value);
    sets.push(`${column} = $${parameters.length}`);
  }
  await tx.query(`update cocosearch_indexes set ${sets.join(", ")} where name = $1`, parameters);
}

/** An id that changes with the index: each change of files, chunks or vectors updates the catalog row, and so its `xmin`. */
export async function readStateId(
  database: Queryable,
  tables: Tables,
  name: string,
): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    `select jsonb_build_array(root, model_id, dimension, chunker_version, schema_version,
       to_char(created_at at time zone 'utc', 'YYYYMMDDHH24MISSUS'),
       to_char(updated_at at time zone 'utc', 'YYYYMMDDHH24MISSUS'),
       xmin::text,
       (select count(*) from ${tables.files}), (select sum(chunks) from ${tables.files}))::text as id
     from cocosearch_indexes where name = $1::text`,
    [name],
  );
  return `${name} ${row?.id ?? ""}`;
}

function toRecord(row: Row): CatalogEntry {
  return {
    name: row.name,
    root: row.root,
    modelId: row.model_id,
    dimension: row.dimension,
    chunkerVersion: row.chunker_version,
    schemaVersion: row.schema_version,
    ...(row.commit_hash === null ? {} : { commit: row.commit_hash }),
    ...(row.branch === null ? {} : { branch: row.branch }),
    state: row.state,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(row.installation === null ? {} : { keeper: row.installation }),
    ...(row.worktree_of === null ? {} : { worktreeOf: row.worktree_of }),
    ...(row.lender === null ? {} : { lender: row.lender }),
    ...(row.publisher === undefined ? {} : { publisher: row.publisher }),
  };
}
