/** Adds the vectors of a remote model to the rows of commits. */

import { createHash } from "node:crypto";
import { Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { Embedder } from "../contracts/embedding.ts";
import type { CommitRow, ReadCommit } from "../contracts/history.ts";
import type { EmbeddingCache } from "../contracts/store.ts";
import { packEntry, toSmall, unpackEntry } from "./lane-entry.ts";

/** `vectors[i]` is undefined if the model did not answer; that commit is then found by its words alone. */
export function withVectors(
  rows: readonly ReadCommit[],
  vectors: readonly (Float32Array | undefined)[],
): CommitRow[] {
  return rows.map((row, i) => {
    const vector = vectors[i];
    if (vector === undefined || row.lanes === "") return row;
    const { texts } = unpackEntry(row.lanes);
    return { ...row, lanes: packEntry({ texts, vector: toSmall(vector) }) };
  });
}

/** The worker has already embedded the texts for a local model. For a remote model, only texts that are not in the cache are sent. */
export async function embedRows(
  rows: readonly ReadCommit[],
  embedder: Embedder,
  { vectors, log }: { vectors(): Promise<EmbeddingCache>; readonly log: Log },
  signal: AbortSignal,
): Promise<readonly CommitRow[]> {
  if (embedder.isLocal) return rows;
  const cache = await vectors();
  try {
    return withVectors(rows, await vectorsOf(embedder, cache, rows, signal));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Unavailable)) throw error;
    log.warn("commits are stored without their vectors", { error: error.message });
    return withVectors(rows, []);
  }
}

async function vectorsOf(
  embedder: Embedder,
  cache: EmbeddingCache,
  rows: readonly ReadCommit[],
  signal: AbortSignal,
): Promise<(Float32Array | undefined)[]> {
  // One chunk per commit, also for models that embed all chunks of a file together.
  const chunks = rows.map(({ sha, text = "" }) => ({ path: sha, text, names: [] }));
  const hashes = chunks.map(({ text, names }) => {
    const [key = ""] = embedder.cacheTexts([{ path: "", text, names }]);
    return createHash("sha256").update(key).digest("hex");
  });
  const known = await cache.get(embedder.modelId, hashes, embedder.dimension);
  const missing = chunks.flatMap((chunk, i) => {
    const hash = hashes[i] ?? "";
    return chunk.text === "" || known.has(hash) ? [] : [{ chunk, hash }];
  });
  const vectors = await embedder.embedChunks(
    missing.map(({ chunk }) => chunk),
    signal,
  );
  const made = new Map(missing.map(({ hash }, i) => [hash, vectors[i]] as const));
  await cache.put(
    embedder.modelId,
    new Map([...made].flatMap(([hash, vector]) => (vector === undefined ? [] : [[hash, vector]]))),
  );
  return hashes.map((hash) => known.get(hash) ?? made.get(hash));
}
