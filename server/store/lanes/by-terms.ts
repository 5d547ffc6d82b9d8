/** The keyword lane in SQL: BM25 over the arrays of terms. */

import type { TermQuestion } from "../../contracts/lane-rows.ts";
import type { Candidate } from "../../contracts/lanes.ts";
import { ints } from "../columns.ts";
import type { Queryable } from "../database.ts";
import type { LaneTables } from "../names.ts";
import { Parameters, pathCondition, symbolCondition } from "./lane-filter.ts";

export async function findByTerms(
  database: Queryable,
  tables: LaneTables,
  { terms, needed, perChunk, perWord, filter, limit }: TermQuestion,
): Promise<Candidate[]> {
  const parameters = new Parameters();
  const asked = parameters.add(ints(terms.map(({ term }) => term)));
  const weights = parameters.add(`{${terms.map(({ weight }) => weight).join(",")}}`);
  const some = parameters.add(ints(needed));
  const [chunk, word] = [parameters.add(perChunk), parameters.add(perWord)];
  const most = parameters.add(limit);
  return await database.query(
    `select lanes.id as chunk,
       sum(asked.weight * found.occurrences
         / (${chunk}::float8 + ${word}::float8 * lanes.length + found.occurrences)) as score
     from ${tables.chunks} lanes
     cross join unnest(${asked}::int[], ${weights}::float8[]) as asked (term, weight)
     cross join lateral (
       select get_byte(lanes.counts, array_position(lanes.terms, asked.term) - 1) / 4.0::float8
         as occurrences
     ) found
     where lanes.terms && ${some}::int[] and found.occurrences is not null
       ${pathCondition("lanes", filter, parameters)}
       ${symbolCondition("lanes.id", filter, tables, parameters)}
     group by lanes.id
     order by score desc, lanes.filename, lanes.location limit ${most}::int`,
    parameters.values,
  );
}
