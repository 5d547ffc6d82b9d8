/** Looks up the vectors of a file's chunks: made by the worker, or stored in the embedding cache. */

import { createHash } from "node:crypto";
import type { EmbeddableChunk, Embedder } from "../contracts/embedding.ts";
import type { Chunk, PreparedFile } from "../contracts/model.ts";
import type { EmbeddingCache, IndexStore } from "../contracts/store.ts";

interface VectorSources {
  readonly embedder: Embedder;
  readonly embeddingHeld: string | undefined;
  readonly cache: EmbeddingCache;
}

/**
 * One entry per chunk, undefined if the chunk must be embedded.
 *
 * A renamed file is also looked up under its old path. The path is part of the embedded text, but a rename is not worth
 * another request to a remote model.
 */
export async function knownVectors(
  { embedder, embeddingHeld, cache }: VectorSources,
  file: PreparedFile,
  renamedFrom: string | undefined,
  dimension: number | undefined,
): Promise<(Float32Array | undefined)[]> {
  if (embeddingHeld !== undefined) return file.chunks.map(() => undefined);
  if (file.vectors !== undefined) return rowsOf(file.vectors, file.chunks.length);
  const paths = [file.path, ...(renamedFrom === undefined ? [] : [renamedFrom])];
  const keys = paths.map((path) =>
    embedder.cacheTexts(file.chunks.map((chunk) => embeddable(path, file, chunk))).map(keyOf),
  );
  const found = await cache.get(embedder.modelId, keys.flat(), dimension);
  const cached = file.chunks.map((_, i) =>
    keys.map((own) => found.get(own[i] ?? "")).find((vector) => vector !== undefined),
  );
  const expected = dimension ?? cached.find((vector) => vector !== undefined)?.length;
  const vectors = cached.map((vector) => (vector?.length === expected ? vector : undefined));
  const isComplete = vectors.every((vector) => vector !== undefined);
  return embedder.embedsWholeFiles && !isComplete ? vectors.map(() => undefined) : vectors;
}

/** The dimension of the stored vectors, else of the model; undefined if neither is known yet. */
export async function knownDimension({
  store,
  embedder,
}: {
  readonly store: Pick<IndexStore, "record">;
  readonly embedder: Embedder;
}): Promise<number | undefined> {
  return (await store.record()).dimension || embedder.dimension;
}

/** The key of the embedding cache: the SHA-256 of the embedded text. */
export function keyOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function embeddable(
  path: string,
  { languageId }: PreparedFile,
  { text, symbols, hierarchy, lines }: Chunk,
): EmbeddableChunk {
  const names = symbols.map(({ name }) => name);
  const chunk = { path, text, names, languageId, lines };
  return hierarchy === undefined ? chunk : { ...chunk, hierarchy };
}

/** Splits a matrix into `count` rows, one per chunk. */
export function rowsOf(vectors: Float32Array, count: number): Float32Array[] {
  const dimension = count === 0 ? 0 : vectors.length / count;
  return Array.from({ length: count }, (_, i) =>
    vectors.subarray(i * dimension, (i + 1) * dimension),
  );
}
