/** The rows that the store passes to the lanes: stored chunks, and vectors that are computed later. */

import type { ChunkTerms } from "./file-terms.ts";
import type { ByteSpan, CodeSymbol, Lines } from "./model.ts";

export interface StoredChunk {
  readonly path: string;
  readonly languageId: string;
  readonly span: ByteSpan;
  readonly lines: Lines;
  readonly symbols: readonly CodeSymbol[];
  readonly context: Lines;
  readonly blockType?: string | undefined;
  readonly hierarchy?: string | undefined;
  readonly text: string;
  /** The term counts for the keyword lane. Without them, the lanes count the terms. */
  readonly terms?: ChunkTerms;
  /** Undefined while the embedding is pending. */
  readonly vector?: Float32Array;
}

export interface ChunkVector {
  readonly path: string;
  readonly span: ByteSpan;
  readonly vector: Float32Array;
  /** The hash of the embedded text. The vector is stored only for a chunk with this hash. */
  readonly contentHash?: string;
}
