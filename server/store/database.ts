/** What the statements need of a database, whichever it is. Two adapters implement it: pglite.ts and postgres.ts. */

/** Values go as parameters only; a Buffer is sent as it is, in the type's binary form. */
export type Parameter = string | number | boolean | null | Buffer | readonly string[];

export interface Queryable {
  query<Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** Without a password: a folder or an address. */
  readonly place: string;
  /** Runs alone on one connection; rolled back when `run` rejects. */
  transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Statistics and space after large changes. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** The id of Postgres' type for an identifier list: nothing typed by a user reaches SQL unquoted. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
