/** Translates a filter of the lanes into SQL conditions. */

import type { RowFilter } from "../../contracts/lane-rows.ts";
import { texts } from "../columns.ts";
import type { SqlParameter } from "../database.ts";
import type { LaneTables } from "../names.ts";

/** Collects the parameters of a statement; `add` returns the placeholder of a value, such as `$3`. */
export class Parameters {
  readonly values: SqlParameter[] = [];

  add(value: SqlParameter): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Conditions on the path, beginning with `and`; `row` is the alias of a table with the column filename. */
export function pathCondition(
  row: string,
  filter: RowFilter | undefined,
  parameters: Parameters,
): string {
  if (filter?.paths === undefined) return "";
  const list = parameters.add(texts(filter.paths.list));
  return filter.paths.isExcluded
    ? `and ${row}.filename <> all (${list}::text[])`
    : `and ${row}.filename = any (${list}::text[])`;
}

/** The condition that a definition in the chunk has the type and name; `chunk` is an SQL expression for its id. */
export function symbolCondition(
  chunk: string,
  filter: RowFilter | undefined,
  tables: LaneTables,
  parameters: Parameters,
): string {
  const own = ownConditions("wanted", filter, parameters);
  if (own === "") return "";
  return `and exists (select from ${tables.names} wanted where wanted.chunk = ${chunk} ${own})`;
}

/** Conditions on the type and name of a row of names. */
export function ownConditions(
  row: string,
  filter: RowFilter | undefined,
  parameters: Parameters,
): string {
  const { symbolTypes, symbolNames } = filter ?? {};
  const types = symbolTypes && parameters.add(texts(symbolTypes));
  const names = symbolNames && parameters.add(texts(symbolNames));
  const conditions = [
    ...(types === undefined ? [] : [`and ${row}.symbol_type = any (${types}::text[])`]),
    ...(names === undefined ? [] : [`and ${row}.name = any (${names}::text[])`]),
  ];
  return conditions.join(" ");
}
