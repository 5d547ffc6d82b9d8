/** Caches vectors by model and hash of the embedded text, so that a branch switch embeds no text twice. */

import type { EmbeddingCache } from "../contracts/store.ts";
import { asBase64, fromBase64 } from "./binary-format.ts";
import { slices, texts, vectors } from "./columns.ts";
import type { Database, Queryable } from "./database.ts";
import { checkVector } from "./vectors.ts";

/** The chunks of some dozens of repositories at 768 dimensions. */
const MAX_BYTES = 500_000_000;
/** Keys, header and index entries of a row, besides its vector. */
const ROW_BYTES = 300;
/** The size is checked after this many insertions. */
const SWEEP_AFTER = 5_000;

interface CachedVectorRow {
  readonly text_sha256: string;
  readonly vector: string;
  readonly is_stale: boolean;
}

/** `maxBytes` bounds the table over all models; the least recently used rows are deleted first. */
export function createEmbeddingCache(
  database: Pick<Database, "query" | "transaction">,
  maxBytes = MAX_BYTES,
  sweepAfter = SWEEP_AFTER,
): EmbeddingCache {
  let put = 0;
  return {
    get: async (modelId, hashes, dimension) => {
      const found = new Map<string, Float32Array>();
      const stale: string[] = [];
      for (const slice of slices(hashes)) {
        for (const row of await read(database, modelId, slice)) {
          const vector = fromBase64(row.vector);
          if (dimension !== undefined && vector.length !== dimension) continue;
          found.set(row.text_sha256, vector);
          if (row.is_stale) stale.push(row.text_sha256);
        }
      }
      for (const slice of slices(stale)) await markUsed(database, modelId, slice);
      return found;
    },
    put: async (modelId, given) => {
      const [first] = given.values();
      if (first === undefined) return;
      for (const vector of given.values()) checkVector(vector, first.length);
      await database.transaction((tx) => write(tx, modelId, [...given]));
      put += given.size;
      if (put < sweepAfter) return;
      put = 0;
      await sweep(database, Math.floor(maxBytes / (first.byteLength + ROW_BYTES)));
    },
  };
}

async function read(
  database: Queryable,
  modelId: string,
  hashes: readonly string[],
): Promise<CachedVectorRow[]> {
  return await database.query<CachedVectorRow>(
    `select text_sha256, ${asBase64("embedding")} as vector,
       used_at < now() - interval '1 day' as is_stale
     from cocosearch_embeddings where model_id = $1::text and text_sha256 = any($2::text[])`,
    [modelId, texts(hashes)],
  );
}

/** Called at most daily per row, because an update rewrites the whole row. Skips rows that another engine has locked. */
async function markUsed(
  database: Queryable,
  modelId: string,
  hashes: readonly string[],
): Promise<void> {
  await database.query(
    `update cocosearch_embeddings set used_at = now() where (model_id, text_sha256) in (
       select model_id, text_sha256 from cocosearch_embeddings
       where model_id = $1::text and text_sha256 = any($2::text[])
       for update skip locked)`,
    [modelId, texts(hashes)],
  );
}

/** In key order, so that two engines cannot deadlock. */
async function write(
  tx: Queryable,
  modelId: string,
  given: readonly (readonly [string, Float32Array])[],
): Promise<void> {
  const sorted = given.toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const slice of slices(sorted)) {
    await tx.query(
      `insert into cocosearch_embeddings (model_id, text_sha256, embedding)
       select $1::text, * from unnest($2::text[], $3::vector[])
       on conflict (model_id, text_sha256) do update
         set embedding = excluded.embedding, used_at = excluded.used_at
         where vector_dims(cocosearch_embeddings.embedding) <> vector_dims(excluded.embedding)`,
      [modelId, texts(slice.map(([hash]) => hash)), vectors(slice.map(([, vector]) => vector))],
    );
  }
}

async function sweep(database: Queryable, maxRows: number): Promise<void> {
  await database.query(
    `delete from cocosearch_embeddings where (model_id, text_sha256) in (
       select model_id, text_sha256 from cocosearch_embeddings order by used_at
       limit greatest(0, (select count(*) from cocosearch_embeddings) - $1::int))`,
    [maxRows],
  );
}
