/** Builds the graph over an index's vectors (HNSW), beside readers and writers. */

import type { Database } from "../database.ts";
import type { Tables } from "../names.ts";
import { graphOver } from "./nearest.ts";

/** Nothing is built for vectors that are larger than pgvector's graphs take: they are compared one by one. */
export async function buildGraph(
  database: Database,
  { vectors, lanes }: Tables,
  dimension: number,
): Promise<void> {
  const over = graphOver(dimension);
  if (over === undefined) return;
  const [found] = await database.query<{ isValid: boolean }>(
    `select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)`,
    [lanes.graph],
  );
  if (found?.isValid === true) return;
  // What was left by a build that did not end.
  if (found !== undefined) await database.query(`drop index if exists ${lanes.graph}`);
  const operators = over.type.startsWith("half") ? "halfvec_cosine_ops" : "vector_cosine_ops";
  await database.build?.(
    `create index concurrently if not exists ${lanes.graph} on ${vectors}
     using hnsw (${over.column} ${operators})`,
  );
}
