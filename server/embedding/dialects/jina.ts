/** Jina's /v1/embeddings, with tasks and late chunking: https://api.jina.ai/redoc. */

import type { EmbeddingDialect } from "./dialect.ts";
import { openai } from "./openai.ts";

export const jina: EmbeddingDialect = {
  ...openai,
  name: "jina",
  defaultUrl: "https://api.jina.ai",
  defaultModel: "jina-embeddings-v3",
  maxTexts: 512,
  maxTokens: 32_000,
  maxConcurrency: 4,
  supportsLateChunking: true,
  bodyOf: ({ model, texts, task, dimensions, isLate }) => ({
    model,
    input: texts,
    embedding_type: "float",
    ...(task === undefined ? {} : { task }),
    ...(dimensions === 0 ? {} : { dimensions }),
    ...(isLate ? { late_chunking: true } : {}),
  }),
};
