/** Voyage's /v1/embeddings, with input types: https://docs.voyageai.com/reference/embeddings-api. */

import type { EmbeddingDialect } from "./dialect.ts";
import { openai } from "./openai.ts";

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
