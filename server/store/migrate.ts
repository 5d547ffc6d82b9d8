/** Brings a database's shared tables to this program's version. */

import { Unavailable } from "../common/errors.ts";
import type { Queryable } from "./database.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";

/** Any number that no other program is likely to lock; engines that start together take turns. */
const LOCK = 728_144_901;

export async function migrate(tx: Queryable, place: string): Promise<void> {
  await takeTurns(tx);
  await tx.query(
    `create table if not exists cocosearch_migrations (
       version int primary key, applied_at timestamptz not null default now())`,
  );
  const [row] = await tx.query<{ version: number }>(
    "select coalesce(max(version), 0)::int as version from cocosearch_migrations",
  );
  const version = row?.version ?? 0;
  const isDamaged = version > 0 && !(await hasSharedTables(tx));
  if (version > MIGRATIONS.length) {
    throw new Unavailable(
      `the database ${place} was made by a newer version of cocosearch-lsp`,
      "update this one, or use another database",
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

/** False where somebody has dropped one; what is in them can be made again. */
export async function hasSharedTables(tx: Queryable): Promise<boolean> {
  const [row] = await tx.query<{ isThere: boolean }>(
    `select to_regclass('cocosearch_indexes') is not null
       and to_regclass('cocosearch_embeddings') is not null as "isThere"`,
  );
  return row?.isThere === true;
}

/** Until the end of the transaction no other engine sets up this database. */
export async function takeTurns(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${LOCK})`);
}
