/** What embedding/ offers: vectors of chunks and queries, from any provider. */

import type { Lines } from "./model.ts";

/** What a document vector is made from; each provider uses what it can. */
export interface EmbeddableChunk {
  readonly path: string;
  readonly text: string;
  /** Qualified names of the symbols that the chunk defines. */
  readonly names: readonly string[];
  readonly languageId?: string;
  /** The scopes around the chunk, outermost first. */
  readonly hierarchy?: string;
  readonly lines?: Lines;
}

/** What a remote provider has done since the engine started. */
export interface EmbeddingUsage {
  /** As counted by the service where it says so, else estimated. */
  readonly tokens: number;
  /** Chunks embedded. */
  readonly chunks: number;
  /** While requests were under way. */
  readonly tokensPerSecond: number;
}

/** Implemented once for each provider by embedding/. Vectors have length 1. */
export interface Embedder {
  /** Names the vectors: provider, model, context and formula. Vectors of two ids are never compared. */
  readonly modelId: string;
  /** Undefined until the first answer has shown it. */
  readonly dimension: number | undefined;
  /** True for the built-in model, which costs less than asking a cache. */
  readonly isLocal: boolean;
  /** Where it is measured: a query and a chunk with a smaller cosine have nothing in common. */
  readonly minCosine?: number;
  /** Whether a chunk's vector depends on the other chunks of its file, so that a file is embedded as a whole. */
  readonly embedsWholeFiles: boolean;
  /**
   * For all chunks of one file in order: everything that each vector depends on, as text. The key of the
   * embedding cache is its hash.
   */
  cacheTexts(file: readonly EmbeddableChunk[]): readonly string[];
  /**
   * One vector per chunk, in order. With `embedsWholeFiles`, chunks of one path must be all chunks of that file,
   * one after another. Throws Unavailable when the provider does not answer properly.
   */
  embedChunks(chunks: readonly EmbeddableChunk[], signal?: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Asks the provider for one vector; resolves to its dimension, which may be another one than before. */
  probe(signal?: AbortSignal): Promise<number>;
  /** Undefined for the built-in model. */
  usage?(): EmbeddingUsage;
}
