/** The vectors that a file's chunks already have: from the worker, or from the embedding cache. */

import { createHash } from "node:crypto";
import type { EmbeddableChunk, Embedder } from "../contracts/embedding.ts";
import type { DescribedChunk, PreparedFile } from "../contracts/model.ts";
import type { EmbeddingCache } from "../contracts/store.ts";

interface Known {
  readonly embedder: Embedder;
  readonly embeddingHeld: string | undefined;
  readonly cache: EmbeddingCache;
}

/**
 * One entry per chunk, undefined where it has to be embedded first.
 *
 * A file that was moved is looked up under its old path too: its text did not change, and a model behind a
 * network is not asked again for the sake of the path in front of it.
 */
export async function knownVectors(
  { embedder, embeddingHeld, cache }: Known,
  file: PreparedFile,
  renamedFrom: string | undefined,
): Promise<(Float32Array | undefined)[]> {
  if (embeddingHeld !== undefined) return file.chunks.map(() => undefined);
  if (file.vectors !== undefined) return rowsOf(file.vectors, file.chunks.length);
  const keys = file.chunks.map((chunk) => {
    const now = embedder.textOf(embeddable(file.path, chunk));
    if (renamedFrom === undefined) return [keyOf(now)];
    return [keyOf(now), keyOf(embedder.textOf(embeddable(renamedFrom, chunk)))];
  });
  const found = await cache.get(embedder.modelId, keys.flat());
  return keys.map((own) => own.map((key) => found.get(key)).find((vector) => vector !== undefined));
}

/** The key of the embedding cache: the sha256 of what the model sees. */
export function keyOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function embeddable(path: string, { text, symbols }: DescribedChunk): EmbeddableChunk {
  return { path, text, names: symbols.map(({ name }) => name) };
}

function rowsOf(vectors: Float32Array, count: number): Float32Array[] {
  const dimension = count === 0 ? 0 : vectors.length / count;
  return Array.from({ length: count }, (_, i) =>
    vectors.subarray(i * dimension, (i + 1) * dimension),
  );
}
