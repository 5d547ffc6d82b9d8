/** Request and response formats of rerank services. No I/O. Ollama has no rerank endpoint. */

export type RerankDialectName = "standard" | "voyage" | "tei";

interface RerankRequest {
  readonly model: string;
  readonly query: string;
  readonly documents: readonly string[];
}

interface RerankDialect {
  bodyOf(request: RerankRequest): unknown;
  /** The list of entries in an answer, not checked. */
  entriesIn(answer: unknown): unknown;
  /** The member of an entry that holds its score. */
  readonly scoreName: "relevance_score" | "score";
}

export const DIALECTS: Readonly<Record<RerankDialectName, RerankDialect>> = {
  // Cohere (https://docs.cohere.com/reference/rerank), Jina, vLLM, llama.cpp with --rerank.
  standard: {
    bodyOf: ({ model, query, documents }) => ({
      ...(model === "" ? {} : { model }),
      query,
      documents,
      top_n: documents.length,
    }),
    entriesIn: (answer) => (answer as { results?: unknown } | undefined | null)?.results,
    scoreName: "relevance_score",
  },
  // https://docs.voyageai.com/docs/reranker
  voyage: {
    bodyOf: ({ model, query, documents }) => ({
      model: model || "rerank-2.5",
      query,
      documents,
      top_k: documents.length,
    }),
    entriesIn: (answer) => (answer as { data?: unknown } | undefined | null)?.data,
    scoreName: "relevance_score",
  },
  // https://huggingface.github.io/text-embeddings-inference, /rerank
  tei: {
    bodyOf: ({ query, documents }) => ({ query, texts: documents, truncate: true }),
    entriesIn: (answer) => answer,
    scoreName: "score",
  },
};

/** Text Embeddings Inference serves one model, which is not named, at /rerank; others are under a version or need a name. */
export function rerankDialectAt({ hostname, pathname }: URL, model: string): RerankDialectName {
  if (/(^|\.)voyageai\.com$/.test(hostname)) return "voyage";
  return pathname.replace(/\/+$/, "") === "/rerank" && model === "" ? "tei" : "standard";
}
