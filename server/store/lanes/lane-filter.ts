/** A filter of the lanes as conditions of a statement. */

import type { RowFilter } from "../../contracts/lane-rows.ts";
import { texts } from "../columns.ts";
import type { Parameter } from "../database.ts";
import type { LaneTables } from "../names.ts";

/** Gathers a statement's parameters; `add` answers the place of a value: `$3`. */
export class Parameters {
  readonly values: Parameter[] = [];

  add(value: Parameter): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Conditions that begin with `and`, for a statement in which `row` has the column filename. */
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

/** The same for what one definition of the chunk must have; `chunk` is an expression. */
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

/** The same for a row of names itself. */
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
