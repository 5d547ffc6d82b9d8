/** The keyword lane in SQL: BM25 over the arrays of terms, and document frequencies. */

import type { RowFilter, TermQuestion, TermStatistics } from "../../contracts/lane-rows.ts";
import type { Candidate } from "../../contracts/lanes.ts";
import { ints } from "../columns.ts";
import { type Queryable, queryForLong } from "../database.ts";
import type { LaneTables } from "../names.ts";
import { Parameters, pathCondition, symbolCondition } from "./lane-filter.ts";

/** The size of a row of two integers, in bytes. */
const PAIR_BYTES = 8;

export async function findByTerms(
  database: Queryable,
  tables: LaneTables,
  { terms, needed, perChunk, perWord, filter, limit }: TermQuestion,
): Promise<Candidate[]> {
  const parameters = new Parameters();
  const asked = parameters.add(ints(terms.map(({ term }) => term)));
  const weights = parameters.add(`{${terms.map(({ weight }) => weight).join(",")}}`);
  const anyOf = parameters.add(ints(needed));
  const [chunk, word] = [parameters.add(perChunk), parameters.add(perWord)];
  const atMost = parameters.add(limit);
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
     where lanes.terms && ${anyOf}::int[] and found.occurrences is not null
       ${pathCondition("lanes", filter, parameters)}
       ${symbolCondition("lanes.id", filter, tables, parameters)}
     group by lanes.id
     order by score desc, lanes.filename, lanes.location limit ${atMost}::int`,
    parameters.values,
  );
}

/** Chunks that have all of the terms, found by the GIN index. */
export async function findWithTerms(
  database: Queryable,
  tables: LaneTables,
  terms: readonly number[],
  filter: RowFilter | undefined,
  limit: number,
): Promise<number[]> {
  const parameters = new Parameters();
  const all = parameters.add(ints(terms));
  const atMost = parameters.add(limit);
  const rows = await database.query<{ chunk: number }>(
    `select lanes.id as chunk from ${tables.chunks} lanes
     where lanes.terms @> ${all}::int[]
       ${pathCondition("lanes", filter, parameters)}
       ${symbolCondition("lanes.id", filter, tables, parameters)}
     limit ${atMost}::int`,
    parameters.values,
  );
  return rows.map(({ chunk }) => chunk);
}

/**
 * Recomputes document frequencies by a full scan, 0.2 s for 10 thousand chunks. Run occasionally, as small changes do not affect
 * the ranking. Rows are compared in place of truncating the table, which would lock out readers until the transaction ends.
 */
export async function measureTerms(tx: Queryable, { terms, chunks }: LaneTables): Promise<void> {
  await queryForLong(
    tx,
    `with counted as materialized (
       select term, count(*)::int as chunks from ${chunks}, unnest(terms) as term
       group by term having count(*) > 1),
     removed as (
       delete from ${terms} known
       where not exists (select from counted where counted.term = known.term))
     insert into ${terms} as known (term, chunks) select term, chunks from counted
     on conflict (term) do update set chunks = excluded.chunks
       where known.chunks <> excluded.chunks`,
  );
}

export async function readStatistics(
  database: Queryable,
  tables: LaneTables,
): Promise<TermStatistics> {
  const [sizes] = await database.query<{ chunks: string; length: number | null }>(
    `select count(*) as chunks, avg(length)::float8 as length from ${tables.chunks}`,
  );
  const [terms] = await database.query<{ pairs: string | null }>(
    `select encode(string_agg(int4send(term) || int4send(chunks), '' order by term), 'base64') as pairs
     from ${tables.terms}`,
  );
  return {
    chunks: Number(sizes?.chunks ?? 0),
    averageLength: sizes?.length ?? 1,
    frequencies: new Frequencies(Buffer.from(terms?.pairs ?? "", "base64")),
  };
}

/** In eight bytes per term: 200 thousand chunks have 450 thousand terms, which take ten times as much as rows or in a map. */
class Frequencies {
  readonly #pairs: Buffer;

  /** Pairs of a term and its number of chunks, by term. */
  constructor(pairs: Buffer) {
    this.#pairs = pairs;
  }

  get size(): number {
    return this.#pairs.length / PAIR_BYTES;
  }

  get(term: number): number | undefined {
    let from = 0;
    let to = this.size;
    while (from < to) {
      const middle = (from + to) >> 1;
      const found = this.#pairs.readInt32BE(middle * PAIR_BYTES);
      if (found === term) return this.#pairs.readInt32BE(middle * PAIR_BYTES + 4);
      if (found < term) from = middle + 1;
      else to = middle;
    }
    return undefined;
  }
}
