/** Cohere's /v2/embed, with input types: https://docs.cohere.com/reference/embed. */

import { type EmbeddingDialect, member, numberAt } from "./dialect.ts";
import { openai, versionedEndpoint } from "./openai.ts";

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
