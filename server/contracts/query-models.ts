/** What rerank/ and rewrite/ offer the read path: models that a user may run beside the built-in ranking. */

interface QueryModel {
  /** Names the model and where it is, without secrets: part of the cache's key. */
  readonly id: string;
  /** False for a while after a failure: then searches do not wait for it. */
  readonly isAvailable: boolean;
}

/** A cross-encoder. */
export interface Reranker extends QueryModel {
  /** How many of the best chunks it is asked about. */
  readonly candidates: number;
  /**
   * One finite score per document, in the order of the documents; only their order means something, since some
   * services answer with logits. Rejects with Unavailable when the service fails or does not answer properly.
   */
  rerank(query: string, documents: readonly string[], signal?: AbortSignal): Promise<number[]>;
}

/** A language model that says a question in other words. */
export interface Rewriter extends QueryModel {
  /** Rejects with Unavailable when the service fails. */
  rewrite(query: string, signal?: AbortSignal): Promise<Rewritten>;
}

/** One line, or why the model's answer is not used. */
export type Rewritten = { readonly text: string } | { readonly refused: string };

/** How much two texts have the same meaning, from -1 to 1, by a measure that does not depend on the user's model. */
export type Likeness = (a: string, b: string) => number;
