/** What the store hands to the lanes: a chunk as it is stored, and a vector that came later. */

import type { ChunkTerms } from "./file-terms.ts";
import type { ByteSpan, CodeSymbol, Lines } from "./model.ts";

export interface StoredChunk {
  readonly path: string;
  readonly languageId: string;
  readonly span: ByteSpan;
  readonly lines: Lines;
  readonly symbols: readonly CodeSymbol[];
  readonly context: Lines;
  readonly blockType?: string;
  readonly hierarchy?: string;
  readonly text: string;
  /** Its words as the keyword lane counts them; lanes count them themselves where they are missing. */
  readonly terms?: ChunkTerms;
  /** Undefined while the embedding is pending. */
  readonly vector?: Float32Array;
}

export interface ChunkVector {
  readonly path: string;
  readonly span: ByteSpan;
  readonly vector: Float32Array;
  /** The text that was embedded: the vector is not stored on another one. */
  readonly contentHash?: string;
}
