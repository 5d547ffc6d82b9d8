/** The vectors that a file's chunks already have: from the worker, or from the embedding cache. */

import { createHash } from "node:crypto";
import type { EmbeddableChunk, Embedder } from "../contracts/embedding.ts";
import type { Chunk, PreparedFile } from "../contracts/model.ts";
import type { EmbeddingCache, IndexStore } from "../contracts/store.ts";

interface Known {
  readonly embedder: Embedder;
  readonly embeddingHeld: string | undefined;
  readonly cache: EmbeddingCache;
}

/**
 * One entry per chunk, undefined where it has to be embedded first.
 *
 * A file that was moved is also looked up under its old path: its text did not change, and a remote model is not
 * asked again because of the path in front of it.
 */
export async function knownVectors(
  { embedder, embeddingHeld, cache }: Known,
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
  const any = file.chunks.map((_, i) =>
    keys.map((own) => found.get(own[i] ?? "")).find((vector) => vector !== undefined),
  );
  const expected = dimension ?? any.find((vector) => vector !== undefined)?.length;
  const vectors = any.map((vector) => (vector?.length === expected ? vector : undefined));
  const isWhole = vectors.every((vector) => vector !== undefined);
  return embedder.embedsWholeFiles && !isWhole ? vectors.map(() => undefined) : vectors;
}

/** That of the vectors that the index has, else that of the model; undefined where neither is known yet. */
export async function knownDimension({
  store,
  embedder,
}: {
  readonly store: Pick<IndexStore, "record">;
  readonly embedder: Embedder;
}): Promise<number | undefined> {
  return (await store.record()).dimension || embedder.dimension;
}

/** The key of the embedding cache: the sha256 of what the vector depends on. */
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

/** One row for each chunk. */
export function rowsOf(vectors: Float32Array, count: number): Float32Array[] {
  const dimension = count === 0 ? 0 : vectors.length / count;
  return Array.from({ length: count }, (_, i) =>
    vectors.subarray(i * dimension, (i + 1) * dimension),
  );
}
