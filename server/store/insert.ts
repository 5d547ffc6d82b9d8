/** Inserts many rows with few statements. */

import type { Parameter, Queryable } from "./database.ts";

/** Rows a statement: 5,000 rows a second in PGlite, where larger statements gain nothing (storage.md). */
const ROWS = 100;

/** `value` writes one row's expression from the numbers of its parameters: `(n) => "int4range($1, $2)"` for n = 1. */
export async function insertRows<T>(
  tx: Queryable,
  into: string,
  rows: readonly T[],
  parameters: (row: T) => readonly Parameter[],
  expression: (at: (index: number) => string) => string,
  after = "",
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS) {
    const values: Parameter[] = [];
    const tuples = rows.slice(from, from + ROWS).map((row) => {
      const start = values.length;
      values.push(...parameters(row));
      return `(${expression((index) => `$${start + index + 1}`)})`;
    });
    await tx.query(`insert into ${into} values ${tuples.join(",")} ${after}`, values);
  }
}
