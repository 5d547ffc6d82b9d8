/** Ollama's /api/embed, which its own package asks: https://docs.ollama.com/api/embed. */

import { embedWithOllama } from "../../transport/ollama.ts";
import { type EmbeddingDialect, member, numberAt } from "./dialect.ts";

export const ollama: EmbeddingDialect = {
  name: "ollama",
  defaultUrl: "http://127.0.0.1:11434",
  defaultModel: "nomic-embed-text",
  // Small enough that a local model answers within the time limit.
  maxTexts: 32,
  maxTokens: 16_000,
  // One is computed while the answer of another travels. More would wait in the queue of the model.
  maxConcurrency: 2,
  supportsLateChunking: () => false,
  describe: ({ origin, pathname }) => `the Ollama at ${origin}${pathname.replace(/\/+$/, "")}`,
  // The package appends the rest.
  endpointOf: (base) => base,
  bodyOf: ({ model, texts, dimensions }) => ({
    model,
    input: texts,
    ...(dimensions === 0 ? {} : { dimensions }),
  }),
  post: embedWithOllama,
  vectorsIn: (answer) => member(answer, "embeddings"),
  tokensIn: (answer) => numberAt(answer, "prompt_eval_count"),
  remedyFor: (status, model) => {
    if (status === undefined) return 'start it with "ollama serve", or check its address';
    if (status === 404) return `run "ollama pull ${model}"`;
    if (status === 401 || status === 403) return "check the name and password in its address";
    if (status >= 300 && status <= 399) return "set embedding.baseUrl to its real address";
    return `check that "${model}" is a model for embeddings, and see the log of the Ollama`;
  },
};
