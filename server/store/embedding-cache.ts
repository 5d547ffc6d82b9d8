/** Vectors by model and hash of the embedded text: a branch switch embeds nothing twice. */

import type { EmbeddingCache } from "../contracts/store.ts";
import { texts, vectors } from "./columns.ts";
import type { Database, Queryable } from "./database.ts";
import { slices } from "./slices.ts";
import { asBase64, checkVector, fromBase64 } from "./vectors.ts";

/** The chunks of some dozens of repositories at 768 dimensions. */
const MOST_BYTES = 500_000_000;
/** Keys, header and index entries of a row, besides its vector. */
const ROW_BYTES = 300;
/** How often the bound is looked at, in vectors put. */
const SWEEP_EVERY = 5_000;

interface Row {
  readonly text_sha256: string;
  readonly vector: string;
  readonly is_stale: boolean;
}

/** `mostBytes` bounds the table, all models together. */
export function createEmbeddingCache(
  database: Database,
  mostBytes = MOST_BYTES,
  sweepEvery = SWEEP_EVERY,
): EmbeddingCache {
  let put = 0;
  return {
    get: async (modelId, hashes) => {
      const found = new Map<string, Float32Array>();
      const stale: string[] = [];
      for (const slice of slices(hashes)) {
        for (const row of await read(database, modelId, slice)) {
          found.set(row.text_sha256, fromBase64(row.vector));
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
      if (put < sweepEvery) return;
      put = 0;
      await sweep(database, Math.floor(mostBytes / (first.byteLength + ROW_BYTES)));
    },
  };
}

async function read(
  database: Queryable,
  modelId: string,
  hashes: readonly string[],
): Promise<Row[]> {
  return await database.query<Row>(
    `select text_sha256, ${asBase64("embedding")} as vector,
       used_at < now() - interval '1 day' as is_stale
     from cocosearch_embeddings where model_id = $1::text and text_sha256 = any($2::text[])`,
    [modelId, texts(hashes)],
  );
}

/** At most once a day: each time writes the whole row anew. Rows that another engine marks just now are passed over. */
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

/** In the order of the key, so that two engines never wait for each other. */
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
       on conflict (model_id, text_sha256) do nothing`,
      [modelId, texts(slice.map(([hash]) => hash)), vectors(slice.map(([, vector]) => vector))],
    );
  }
}

async function sweep(database: Queryable, mostRows: number): Promise<void> {
  await database.query(
    `delete from cocosearch_embeddings where (model_id, text_sha256) in (
       select model_id, text_sha256 from cocosearch_embeddings order by used_at
       limit greatest(0, (select count(*) from cocosearch_embeddings) - $1::int))`,
    [mostRows],
  );
}
