/** The messages between the engine and the process of a model. */

/**
 * One text or one pair at a time: a query then waits for one text and not for a batch, and padding costs nothing. `texts` are
 * consecutive chunks of one file, for late chunking.
 */
export type Job =
  | { readonly texts: readonly string[]; readonly dimensions: number }
  | { readonly text: string; readonly dimensions: number }
  | { readonly query: string; readonly document: string };

export interface JobMessage {
  readonly id: number;
  readonly job: Job;
}

export type FromModel =
  | { readonly kind: "ready" }
  /** The model cannot be loaded; the process ends. */
  | { readonly kind: "unusable"; readonly what: string; readonly remedy: string }
  | { readonly kind: "vector"; readonly id: number; readonly vector: Float32Array }
  | { readonly kind: "vectors"; readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly kind: "score"; readonly id: number; readonly score: number }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
