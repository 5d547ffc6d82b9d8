/** Embeds what was stored without a vector, so that words find it while a slow provider works. */

import type { Embedder } from "../contracts/embedding.ts";
import type { LiveLanes } from "../contracts/lanes.ts";
import type { EmbeddingCache, IndexStore } from "../contracts/store.ts";
import type { ChunkVector } from "../contracts/stored-chunk.ts";
import { keyOf } from "./known-vectors.ts";

/** What is lost when a provider fails; large enough that the provider's own batches are full. */
const BATCH = 128;

export interface PendingContext {
  readonly store: IndexStore;
  readonly lanes: LiveLanes;
  readonly embedder: Embedder;
  readonly cache: EmbeddingCache;
  gate(signal: AbortSignal): Promise<void>;
  /** True when files have changed meanwhile: they come first. */
  isUrgent(): boolean;
}

/**
 * Returns whether all is embedded. Rejects with Unavailable when the provider fails; what was done stays.
 *
 * Nothing else may write to the index meanwhile, or a vector could land on text that it was not made from.
 */
export async function embedPending(context: PendingContext, signal: AbortSignal): Promise<boolean> {
  const { store, lanes, embedder, cache } = context;
  for (;;) {
    await context.gate(signal);
    if (context.isUrgent()) return false;
    const pending = await store.pending(BATCH);
    if (pending.length === 0) return true;
    const keys = pending.map((chunk) => keyOf(embedder.textOf(chunk)));
    const known = new Map(await cache.get(embedder.modelId, keys));
    const missing = pending.filter((_, i) => !known.has(keys[i] ?? ""));
    const fresh = await embedder.embedChunks(missing, signal);
    const made = new Map(
      missing.map((chunk, i) => [keyOf(embedder.textOf(chunk)), fresh[i] as Float32Array]),
    );
    if (made.size > 0) await cache.put(embedder.modelId, made);
    const vectors: ChunkVector[] = pending.map(({ path, span, contentHash }, i) => {
      const key = keys[i] ?? "";
      return { path, span, contentHash, vector: (known.get(key) ?? made.get(key)) as Float32Array };
    });
    await store.setVectors(vectors);
    await lanes.setVectors(vectors);
  }
}
