/** What embedding/ offers: vectors of chunks and queries, from any provider. */

/** What a document vector is made from; each provider uses what it can. */
export interface EmbeddableChunk {
  readonly path: string;
  readonly text: string;
  /** Qualified names of the symbols that the chunk defines. */
  readonly names: readonly string[];
}

/** Implemented once for each provider by embedding/. Vectors have length 1. */
export interface Embedder {
  /** Names the vectors: provider, model and formula. Vectors of two ids are never compared. */
  readonly modelId: string;
  /** Undefined until the first answer has shown it. */
  readonly dimension: number | undefined;
  /** True for the built-in model, which costs less than asking a cache. */
  readonly isLocal: boolean;
  /** Where it is measured: a query and a chunk with a smaller cosine have nothing in common. */
  readonly minCosine?: number;
  /** What a chunk looks like to this model; the key of the embedding cache. */
  textOf(chunk: EmbeddableChunk): string;
  /** One vector a chunk, in order. Throws Unavailable when the provider does not answer properly. */
  embedChunks(chunks: readonly EmbeddableChunk[], signal?: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Asks the provider for one vector; resolves to the dimension. For `doctor` and the first use. */
  probe(signal?: AbortSignal): Promise<number>;
}
