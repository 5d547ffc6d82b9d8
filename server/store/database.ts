/** The interface of a database, with two adapters: pglite.ts and postgres.ts. */

import type { Column } from "./columns.ts";

/** Values are passed to statements only as parameters. */
export type SqlParameter = string | number | null | Column;

export interface Queryable {
  query<Row>(sql: string, parameters?: readonly SqlParameter[]): Promise<Row[]>;
  /**
   * Creates an index, which may take hours. `definition` follows `create index`; `memory` in bytes is what the server may use for
   * it. Outside of a transaction, writers are not blocked meanwhile. Present only for databases with SQL lanes.
   */
  readonly buildIndex?: (definition: string, memory: number) => Promise<void>;
  /** Runs a statement that goes through a whole index and may take an hour. Present in transactions of such databases. */
  readonly queryForLong?: (sql: string) => Promise<void>;
}

/** A dedicated connection, which holds at most one lock. */
export interface Exclusive {
  /** Takes an advisory lock until the connection is closed. False if another connection has it. */
  tryLock(name: string, seed: number): Promise<boolean>;
  /** `lost` is called once when the connection ends. */
  onLost(lost: () => void): void;
  close(): Promise<void>;
}

export interface Database extends Queryable {
  /** A folder, or an address without user and password. */
  readonly place: string;
  /** Runs alone on one connection; rolled back when `run` rejects. Statements go through `tx` only. */
  transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T>;
  /** The same database. When the signal aborts, the server ends the statements that run there, and later ones are rejected. */
  readonly until?: (signal: AbortSignal) => Database;
  /** Opens a dedicated connection. Present only if several engines may share the database. */
  readonly exclusive?: () => Promise<Exclusive>;
  /** Updates statistics and frees space; skips missing tables. */
  vacuum(tables: readonly string[]): Promise<void>;
  /** Frees the memory of a database in this process; the next statement starts it again. */
  readonly suspend?: () => Promise<void>;
  close(): Promise<void>;
}

/** Quotes a name for use in a statement. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The SQLSTATE of a failed statement; undefined for an error that did not come from Postgres. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined;
}

/** Runs a statement without parameters in a transaction, with the time limit for long ones if there is one. */
export async function queryForLong(tx: Queryable, sql: string): Promise<void> {
  await (tx.queryForLong ?? tx.query)(sql);
}

export async function hasTable(database: Queryable, table: string): Promise<boolean> {
  const [row] = await database.query<{ isThere: boolean }>(
    `select to_regclass($1::text) is not null as "isThere"`,
    [table],
  );
  return row?.isThere === true;
}

/** Whether a statement failed because a table does not exist. */
export function isMissingTable(error: unknown): boolean {
  return sqlStateOf(error) === "42P01";
}
