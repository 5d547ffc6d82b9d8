/** What the statements need of a database, whichever it is. Two adapters implement it: pglite.ts and postgres.ts. */

import type { Column } from "./columns.ts";

/** Values reach a statement as parameters only. */
export type Parameter = string | number | null | Column;

export interface Queryable {
  query<Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>;
}

/** A connection of one's own. */
export interface Exclusive extends Queryable {
  /** Called once when it ends by itself. */
  onLost(lost: () => void): void;
  close(): Promise<void>;
}

export interface Database extends Queryable {
  /** Without a password: a folder or an address. */
  readonly place: string;
  /** Runs alone on one connection; rolled back when `run` rejects. Statements go through `tx` only. */
  transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Runs one statement that may take an hour, outside a transaction; only where lanes in SQL are of use. */
  readonly build?: (sql: string) => Promise<void>;
  /** A connection for one caller only; present where several engines may share the database. */
  readonly exclusive?: () => Promise<Exclusive>;
  /** Updates statistics and frees space of tables that changed much; missing tables are skipped. */
  vacuum(tables: readonly string[]): Promise<void>;
  /** Frees the memory of a database in this process; the next statement starts it again. */
  readonly suspend?: () => Promise<void>;
  close(): Promise<void>;
}

/** The only way in which a name becomes a part of a statement. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What Postgres says of a failed statement; undefined for what did not come from Postgres. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined;
}

/** Whether a statement failed because a table is not there (any more). */
export function isMissingTable(error: unknown): boolean {
  return sqlStateOf(error) === "42P01";
}
