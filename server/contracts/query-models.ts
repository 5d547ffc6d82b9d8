/** The interfaces of rerank/ and rewrite/: optional models for the read path. */

interface QueryModel {
  /** Identifies the model and its address, without secrets. Part of the cache key. */
  readonly id: string;
  /** False for some time after a failure, so that searches do not wait for it. */
  readonly isAvailable: boolean;
}

/** A cross-encoder. */
export interface Reranker extends QueryModel {
  /** The number of best chunks that are reranked. */
  readonly candidates: number;
  /**
   * One finite score per document, in the order of the documents, or of the first documents if the time ended before the
   * last; only their order is meaningful, because some services return logits. Rejects with Unavailable if the service fails or sends an invalid answer.
   */
  rerank(query: string, documents: readonly string[], signal?: AbortSignal): Promise<number[]>;
}

/** A language model that rewrites a query. */
export interface Rewriter extends QueryModel {
  /** Rejects with Unavailable if the service fails. */
  rewrite(query: string, signal?: AbortSignal): Promise<Rewritten>;
}

/** One line, or the reason that the model's answer is rejected. */
export type Rewritten = { readonly text: string } | { readonly refused: string };

/** The semantic similarity of two texts, from -1 to 1, computed with the built-in model. */
export type Likeness = (a: string, b: string) => number;
