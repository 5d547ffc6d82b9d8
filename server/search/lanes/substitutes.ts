/** Vectors of the built-in model for all chunks of an index: they answer until the index has the vectors of its own model. */

import type { SubstituteModel } from "../../contracts/lanes.ts";
import type { StoredChunk } from "../../contracts/stored-chunk.ts";
import { VectorIndex } from "./vector-index.ts";

/**
 * The share of chunks that may lack a vector of the index's own model when it takes over: a list of thirty then lacks none in
 * half of the cases. Not zero, because a model may refuse a chunk forever.
 */
const MAX_MISSING_SHARE = 0.02;

/** Whether substitutes answer for an index with `chunks` chunks and `missing` vectors. An empty index will lack all. */
export function needsSubstitutes({
  chunks,
  missing,
}: {
  readonly chunks: number;
  readonly missing: number;
}): boolean {
  return chunks === 0 || missing > chunks * MAX_MISSING_SHARE;
}

/** By slot, as in the vectors of the index's own model. Vectors of the two models are never compared. */
export class Substitutes {
  readonly model: SubstituteModel;
  readonly vectors = new VectorIndex();

  constructor(model: SubstituteModel) {
    this.model = model;
  }

  add(slot: number, chunk: Pick<StoredChunk, "path" | "text" | "symbols">): void {
    this.vectors.set(slot, this.model.embed(chunk));
  }
}
