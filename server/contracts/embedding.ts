/** The interface of embedding/: vectors of chunks and queries, from any provider. */

import type { Lines } from "./model.ts";

/** The input for a document vector. Each provider uses the fields that it supports. */
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

/** The usage of a remote provider since the engine started. */
export interface EmbeddingUsage {
  /** Reported by the service, or estimated if it does not report them. */
  readonly tokens: number;
  /** The number of embedded chunks. */
  readonly chunks: number;
  /** The rate while requests are in progress. */
  readonly tokensPerSecond: number;
}

/** Implemented by embedding/ for each provider. Vectors have length 1. */
export interface Embedder {
  /** Identifies the vectors by provider, model, context and formula. Vectors with different ids are never compared. */
  readonly modelId: string;
  /** Undefined until the first answer. */
  readonly dimension: number | undefined;
  /** True for the built-in model, which is faster than a cache lookup. */
  readonly isLocal: boolean;
  /** A query and a chunk with a smaller cosine are unrelated. Undefined for models without a measured threshold. */
  readonly minCosine?: number;
  /** Is added to the vector of a long open question, where it orders candidates; undefined for models without a fitted one. */
  readonly questionOffset?: Float32Array;
  /** Whether the vector of a chunk depends on the other chunks of its file, so that files are embedded as a whole. */
  readonly embedsWholeFiles: boolean;
  /**
   * Returns, for all chunks of one file in order, a text of everything that each vector depends on. Its hash is the key of
   * the embedding cache.
   */
  cacheTexts(file: readonly EmbeddableChunk[]): readonly string[];
  /**
   * One vector per chunk, in order. With `embedsWholeFiles`, chunks of one path must be all chunks of that file,
   * in order. Throws Unavailable if the provider fails or sends an invalid answer.
   */
  embedChunks(chunks: readonly EmbeddableChunk[], signal?: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Requests one vector from the provider and resolves to its dimension, which may have changed. */
  probe(signal?: AbortSignal): Promise<number>;
  /** Undefined for the built-in model. */
  usage?(): EmbeddingUsage;
}
