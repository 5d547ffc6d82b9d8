/** The vector lane in SQL: a walk over a graph of near vectors (HNSW), or a comparison with all of them. */

import type { NearestQuestion } from "../../contracts/lane-rows.ts";
import type { Candidate } from "../../contracts/lanes.ts";
import type { Database } from "../database.ts";
import type { Tables } from "../names.ts";
import { Parameters, pathCondition, symbolCondition } from "./lane-filter.ts";

/** Candidates that the walk keeps in sight: 200 finds nine in ten of what an exact search finds (storage.md's measurement and ours). */
const FEWEST_IN_SIGHT = 200;
/** pgvector's own bound. */
const MOST_IN_SIGHT = 1000;
/** pgvector's graphs take vectors of up to so many dimensions, and half as exact ones of twice as many. */
const LARGEST_VECTOR = 2000;
const LARGEST_HALFVEC = 4000;

/** What the graph is over; undefined where pgvector can make none. */
export function graphOver(dimension: number): { column: string; type: string } | undefined {
  if (dimension > LARGEST_HALFVEC || dimension < 1) return undefined;
  const type = dimension > LARGEST_VECTOR ? `halfvec(${dimension})` : `vector(${dimension})`;
  return { column: `(embedding::${type})`, type };
}

export async function findNearest(
  database: Database,
  tables: Tables,
  { query, filter, limit, isExact }: NearestQuestion,
): Promise<Candidate[]> {
  const parameters = new Parameters();
  const over = isExact ? undefined : graphOver(query.length);
  const wanted = `${parameters.add(`[${query.join(",")}]`)}::${over?.type ?? "vector"}`;
  const column = over?.column ?? "embedding";
  const most = parameters.add(limit);
  const chunkOf = `(select id from ${tables.lanes.chunks} lanes
    where lanes.filename = vectors.filename and lanes.location = vectors.location)`;
  const sql = `
    with nearest as materialized (
      select filename, location, 1 - (${column} <=> ${wanted}) as score
      from ${tables.vectors} vectors
      where true ${pathCondition("vectors", filter, parameters)}
        ${symbolCondition(chunkOf, filter, tables.lanes, parameters)}
      order by ${column} <=> ${wanted} limit ${most}::int)
    select lanes.id as chunk, score::float8 from nearest
    join ${tables.lanes.chunks} lanes using (filename, location)
    order by score desc, filename, location`;
  if (over === undefined) return await database.query(sql, parameters.values);
  const inSight = Math.min(MOST_IN_SIGHT, Math.max(FEWEST_IN_SIGHT, 2 * limit));
  // Where a filter turns most away, the walk goes on until enough were found.
  const goesOn = (await walksOn(database)) ? "set local hnsw.iterative_scan = relaxed_order" : "";
  return await database.transaction(async (tx) => {
    await tx.query(`set local hnsw.ef_search = ${inSight}; ${goesOn}`);
    return await tx.query(sql, parameters.values);
  });
}

const walking = new WeakMap<Database, boolean>();

/** pgvector 0.8 and later; asked once. */
async function walksOn(database: Database): Promise<boolean> {
  const known = walking.get(database);
  if (known !== undefined) return known;
  const [row] = await database.query<{ major: number; minor: number }>(
    `select split_part(extversion, '.', 1)::int as major, split_part(extversion, '.', 2)::int as minor
     from pg_extension where extname = 'vector'`,
  );
  const walks = row !== undefined && (row.major > 0 || row.minor >= 8);
  walking.set(database, walks);
  return walks;
}
