/** The symbol lane in SQL: candidate names for a query, and the chunks that define them. */

import type { NameQuestion, RowFilter } from "../../contracts/lane-rows.ts";
import { texts } from "../columns.ts";
import type { Queryable } from "../database.ts";
import type { LaneTables } from "../names.ts";
import { ownConditions, Parameters, pathCondition } from "./lane-filter.ts";

/** The upper bound of a prefix scan: names with a prefix sort before prefix + this character. */
const LAST_CHARACTER = "\u{10ffff}";

/** Each branch of the union uses its own index. */
export async function findStoredNames(
  database: Queryable,
  { names }: LaneTables,
  { last, squashed, parts }: NameQuestion,
  limit: number,
): Promise<string[]> {
  const distinct = (condition: string, order: string) =>
    `(select name from ${names} where ${condition} group by name, ${order} order by ${order}, name limit $5::int)`;
  const rows = await database.query<{ name: string }>(
    `${distinct("last = $1", "last")}
     union ${distinct("squashed = $2 and $2 <> ''", "squashed")}
     union ${distinct("last >= $1 and last < $3 and length($1) >= 2", "length(last)")}
     union ${distinct("parts @> $4::text[] and cardinality($4::text[]) > 0", "cardinality(parts)")}`,
    [last, squashed, `${last}${LAST_CHARACTER}`, texts(parts), limit],
  );
  return rows.map(({ name }) => name);
}

export async function readNames(
  database: Queryable,
  { names }: LaneTables,
  length: { readonly from: number; readonly to: number } | undefined,
): Promise<string[]> {
  const rows =
    length === undefined
      ? await database.query<{ name: string }>(`select distinct name from ${names}`)
      : await database.query<{ name: string }>(
          `select distinct name from ${names} where length(last) between $1::int and $2::int`,
          [length.from, length.to],
        );
  return rows.map(({ name }) => name);
}

/** Chunks that define the names, ordered by path and position. */
export async function findDefining(
  database: Queryable,
  tables: LaneTables,
  names: readonly string[],
  filter: RowFilter | undefined,
): Promise<{ chunk: number; name: string }[]> {
  const parameters = new Parameters();
  const wanted = parameters.add(texts(names));
  const isSymbol = filter?.symbolTypes !== undefined || filter?.symbolNames !== undefined;
  // Any definition of the chunk may satisfy the filter, not only the matching one.
  const symbols = isSymbol
    ? `and exists (select from ${tables.names} own where own.chunk = lanes.id
         ${ownConditions("own", filter, parameters)})`
    : "";
  return await database.query(
    `select distinct on (lanes.filename, lanes.location, found.name) lanes.id as chunk, found.name
     from ${tables.names} found join ${tables.chunks} lanes on lanes.id = found.chunk
     where found.name = any (${wanted}::text[])
       ${pathCondition("lanes", filter, parameters)} ${symbols}
     order by lanes.filename, lanes.location, found.name`,
    parameters.values,
  );
}
