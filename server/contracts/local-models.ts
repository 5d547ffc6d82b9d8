/** The interface of models/ for embedding/ and rerank/: installed models, which run in processes of their own on this machine. */

export interface LocalModels {
  /**
   * One vector per text, in order, of length 1 and of `dimensions` numbers (0: all that the model has). Texts beyond the
   * model's context are cut. Queries go before documents.
   *
   * Rejects with Unavailable, which names a remedy, if the model is not installed or cannot be loaded, and with a
   * ProviderError if its process ended or takes too long: the next request starts it again.
   */
  embed(name: string, request: EmbedRequest, signal: AbortSignal): Promise<Float32Array[]>;
  /** Whether the model can embed the chunks of a file together (late chunking). True for one that is not installed or is damaged. */
  embedsTogether(name: string): boolean;
  /**
   * One score per document, in order: the logit of a cross-encoder, or the cosine of an embedding model. Shorter than
   * the list of documents if `budgetMs` ends before. Rejects like `embed`.
   */
  score(name: string, request: ScoreRequest, signal: AbortSignal | undefined): Promise<number[]>;
}

interface EmbedRequest {
  readonly texts: readonly string[];
  readonly isQuery: boolean;
  /** Whether the texts are consecutive chunks of one file, to be embedded together. */
  readonly isLate?: boolean;
  readonly dimensions: number;
}

export interface ScoreRequest {
  readonly query: string;
  readonly documents: readonly string[];
  readonly budgetMs: number;
}
