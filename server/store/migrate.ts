/** Migrates the shared tables of a database to the version of this program. */

import { Unavailable } from "../common/errors.ts";
import type { Queryable } from "./database.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";

/** The key of the advisory lock for engines that start at the same time: an arbitrary number. */
const LOCK = 728_144_901;

export const CREATE_MIGRATIONS_TABLE = `
create table if not exists cocosearch_migrations (
  version int primary key, applied_at timestamptz not null default now())`;

export async function migrate(tx: Queryable, place: string): Promise<void> {
  await lockSetup(tx);
  await tx.query(CREATE_MIGRATIONS_TABLE);
  const version = await readVersion(tx);
  const isDamaged = version > 0 && !(await hasSharedTables(tx));
  if (version > MIGRATIONS.length) {
    throw new Unavailable(
      `the database ${place} was created by a newer version of cocosearch-lsp`,
      "update cocosearch-lsp, or use another database",
    );
  }
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < version && !isDamaged) continue;
    await tx.query(sql);
    await tx.query(
      "insert into cocosearch_migrations (version) values ($1::int) on conflict do nothing",
      [index + 1],
    );
  }
}

/** Whether the shared tables are of the version of this program. They must exist. */
export async function isMigrated(tx: Queryable): Promise<boolean> {
  return (await readVersion(tx)) === MIGRATIONS.length;
}

async function readVersion(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ version: number }>(
    "select coalesce(max(version), 0)::int as version from cocosearch_migrations",
  );
  return row?.version ?? 0;
}

/** False if a shared table was dropped. */
export async function hasSharedTables(tx: Queryable): Promise<boolean> {
  const [row] = await tx.query<{ isThere: boolean }>(
    `select to_regclass('cocosearch_indexes') is not null
       and to_regclass('cocosearch_embeddings') is not null as "isThere"`,
  );
  return row?.isThere === true;
}

/** Excludes other engines from setting up this database until the end of the transaction. */
export async function lockSetup(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${LOCK})`);
}
