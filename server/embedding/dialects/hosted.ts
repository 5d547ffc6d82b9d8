/** The dialects of Jina, Voyage and Cohere: OpenAI's, with other bodies, limits and addresses. */

import { type EmbeddingDialect, member, numberAt } from "./dialect.ts";
import { openai, versionedEndpoint } from "./openai.ts";

/** Tasks and late chunking: https://api.jina.ai/redoc. */
export const jina: EmbeddingDialect = {
  ...openai,
  name: "jina",
  defaultUrl: "https://api.jina.ai",
  defaultModel: "jina-embeddings-v3",
  maxTexts: 512,
  maxTokens: 32_000,
  maxConcurrency: 4,
  supportsLateChunking: () => true,
  bodyOf: ({ model, texts, task, dimensions, isLate }) => ({
    model,
    input: texts,
    embedding_type: "float",
    ...(task === undefined ? {} : { task }),
    ...(dimensions === 0 ? {} : { dimensions }),
    ...(isLate ? { late_chunking: true } : {}),
  }),
};

/** Input types: https://docs.voyageai.com/reference/embeddings-api. */
export const voyage: EmbeddingDialect = {
  ...openai,
  name: "voyage",
  defaultUrl: "https://api.voyageai.com",
  defaultModel: "voyage-code-3",
  // 1,000 texts and, for voyage-code-3, 120,000 tokens are allowed.
  maxTexts: 512,
  maxTokens: 60_000,
  maxConcurrency: 4,
  bodyOf: ({ model, texts, task, dimensions }) => ({
    model,
    input: texts,
    ...(task === undefined ? {} : { input_type: task }),
    ...(dimensions === 0 ? {} : { output_dimension: dimensions }),
  }),
};

/** /v2/embed, with input types: https://docs.cohere.com/reference/embed. */
export const cohere: EmbeddingDialect = {
  ...openai,
  name: "cohere",
  defaultUrl: "https://api.cohere.com",
  defaultModel: "embed-v4.0",
  maxTexts: 96,
  maxTokens: 60_000,
  maxConcurrency: 4,
  endpointOf: (base) => versionedEndpoint(base, "v2", "embed"),
  bodyOf: ({ model, texts, task, dimensions }) => ({
    model,
    texts,
    input_type: task,
    embedding_types: ["float"],
    ...(dimensions === 0 ? {} : { output_dimension: dimensions }),
  }),
  vectorsIn: (answer) => member(answer, "embeddings", "float"),
  tokensIn: (answer) => numberAt(answer, "meta", "billed_units", "input_tokens"),
};
