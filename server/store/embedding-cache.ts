/** Vectors by model and hash of the embedded text: a branch switch embeds nothing twice. */

import type { EmbeddingCache } from "../ports.ts";
import type { Database } from "./database.ts";
import { insertRows } from "./insert.ts";
import { asBase64, checkVector, fromBase64, toBinary } from "./vectors.ts";

/** About 600 MB of vectors with 768 dimensions: the chunks of some dozens of repositories. */
const MOST_ROWS = 200_000;
/** How often the bound is looked at, in vectors put. */
const SWEEP_EVERY = 5_000;

export function createEmbeddingCache(database: Database): EmbeddingCache {
  let put = 0;
  return {
    get: async (modelId, hashes) => {
      if (hashes.length === 0) return new Map();
      const rows = await database.query<{ text_sha256: string; vector: string }>(
        `update cocosearch_embeddings set used_at = now()
         where model_id = $1::text and text_sha256 in (select json_array_elements_text($2::json))
         returning text_sha256, ${asBase64("embedding")} as vector`,
        [modelId, JSON.stringify(hashes)],
      );
      return new Map(rows.map(({ text_sha256, vector }) => [text_sha256, fromBase64(vector)]));
    },
    put: async (modelId, vectors) => {
      for (const vector of vectors.values()) checkVector(vector, undefined);
      await database.transaction((tx) =>
        insertRows(
          tx,
          "cocosearch_embeddings (model_id, text_sha256, embedding)",
          [...vectors].toSorted(([a], [b]) => (a < b ? -1 : 1)),
          ([hash, vector]) => [modelId, hash, toBinary(vector)],
          (at) => `${at(0)}::text, ${at(1)}::text, ${at(2)}::vector`,
          "on conflict (model_id, text_sha256) do update set used_at = now()",
        ),
      );
      put += vectors.size;
      if (put < SWEEP_EVERY) return;
      put = 0;
      await database.query(
        `delete from cocosearch_embeddings where (model_id, text_sha256) in (
           select model_id, text_sha256 from cocosearch_embeddings
           order by used_at desc offset ${MOST_ROWS})`,
      );
    },
  };
}
