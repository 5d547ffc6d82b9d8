/** The vector lane in SQL: nearest neighbors by an HNSW index, or exact by a full scan. */

import { toSql } from "pgvector/pg";
import type { NearestQuestion } from "../../contracts/lane-rows.ts";
import type { Candidate } from "../../contracts/lanes.ts";
import type { Database, Queryable } from "../database.ts";
import type { Tables } from "../names.ts";
import { Parameters, pathCondition, symbolCondition } from "./lane-filter.ts";

/** `hnsw.ef_search`. Of 200 thousand vectors, 200 finds .86 of the ten nearest, 500 finds .91, and this .95 in three times the time. */
const MIN_EF_SEARCH = 900;
/** pgvector's limit. */
const MAX_EF_SEARCH = 1000;
/** pgvector's limit for half precision. */
const MAX_GRAPH_DIMENSION = 4000;

/**
 * The memory that building the graph takes per vector besides the vector, in bytes: 715 measured, and some room. With less, the rest is
 * inserted one by one into the pages of the index, which takes many times as long. Processes that build it together reserve all of it.
 */
const NODE_BYTES = 800;
/** The server's default, which other indexes use. */
const MIN_GRAPH_MEMORY = 2 ** 26;

/** The indexed expression and its type; undefined if pgvector cannot index the dimension. */
function graphType(dimension: number): { column: string; type: string } | undefined {
  if (dimension > MAX_GRAPH_DIMENSION || dimension < 1) return undefined;
  const type = `halfvec(${dimension})`;
  return { column: `(embedding::${type})`, type };
}

export async function findNearest(
  database: Database,
  tables: Tables,
  { query, orderBy, filter, limit, isExact }: NearestQuestion,
): Promise<Candidate[]> {
  const parameters = new Parameters();
  const graph = isExact ? undefined : graphType(query.length);
  const wanted = `${parameters.add(toSql([...(orderBy ?? query)]))}::vector`;
  const distance = `(embedding::vector <=> ${wanted})`;
  const order = graph === undefined ? distance : `${graph.column} <=> ${wanted}::${graph.type}`;
  const own = orderBy && `(embedding::vector <=> ${parameters.add(toSql([...query]))}::vector)`;
  const atMost = parameters.add(limit);
  const chunkOf = `(select id from ${tables.lanes.chunks} lanes
    where lanes.filename = vectors.filename and lanes.location = vectors.location)`;
  const sql = `
    with nearest as materialized (
      select filename, location, 1 - ${distance} as nearness, 1 - ${own ?? distance} as score
      from ${tables.vectors} vectors
      where true ${pathCondition("vectors", filter, parameters)}
        ${symbolCondition(chunkOf, filter, tables.lanes, parameters)}
      order by ${order} limit ${atMost}::int)
    select lanes.id as chunk, score::float8${own === undefined ? "" : ', nearness::float8 as "order"'} from nearest
    join ${tables.lanes.chunks} lanes using (filename, location)
    order by nearness desc, filename, location`;
  if (graph === undefined) return await database.query(sql, parameters.values);
  const efSearch = Math.min(MAX_EF_SEARCH, Math.max(MIN_EF_SEARCH, 2 * limit));
  // If a filter rejects most candidates, the search continues until it has found enough.
  const iterative = (await hasIterativeScan(database))
    ? "set local hnsw.iterative_scan = relaxed_order"
    : "";
  return await database.transaction(async (tx) => {
    await tx.query(`set local hnsw.ef_search = ${efSearch}; ${iterative}`);
    return await tx.query(sql, parameters.values);
  });
}

/** By place. */
const iterativeScans = new Map<string, boolean>();

/** Whether pgvector is 0.8 or later; cached. */
async function hasIterativeScan(database: Database): Promise<boolean> {
  const known = iterativeScans.get(database.place);
  if (known !== undefined) return known;
  const [row] = await database.query<{ major: number; minor: number }>(
    `select split_part(extversion, '.', 1)::int as major, split_part(extversion, '.', 2)::int as minor
     from pg_extension where extname = 'vector'`,
  );
  const isThere = row !== undefined && (row.major > 0 || row.minor >= 8);
  iterativeScans.set(database.place, isThere);
  return isThere;
}

/**
 * Builds the HNSW index over the vectors, without blocking readers. Vectors with too many dimensions get no index and are
 * scanned.
 */
export async function buildGraph(
  database: Queryable,
  { vectors, lanes }: Tables,
  dimension: number,
): Promise<void> {
  const graph = graphType(dimension);
  if (graph === undefined) return;
  const [found] = await database.query<{ isValid: boolean }>(
    `select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)`,
    [lanes.graph],
  );
  if (found?.isValid === true) return;
  // The remains of an interrupted build.
  if (found !== undefined) await database.query(`drop index if exists ${lanes.graph}`);
  const [size] = await database.query<{ rows: number }>(
    `select count(*)::float8 as rows from ${vectors}`,
  );
  await database.buildIndex?.(
    `if not exists ${lanes.graph} on ${vectors} using hnsw (${graph.column} halfvec_cosine_ops)`,
    Math.max(MIN_GRAPH_MEMORY, (size?.rows ?? 0) * (NODE_BYTES + 2 * dimension)),
  );
}
