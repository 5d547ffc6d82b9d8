/** The embedder that the settings ask for. */

import type { Log } from "../common/log.ts";
import type { Settings } from "../config/settings.ts";
import type { Embedder } from "../contracts/embedding.ts";
import { createBuiltinEmbedder } from "./builtin.ts";
import type { EmbeddingModel } from "./embedding-model.ts";
import { createOllamaEmbedder } from "./ollama.ts";
import { createOpenAiEmbedder } from "./openai.ts";

export function createEmbedder(settings: Settings, table: EmbeddingModel, log: Log): Embedder {
  const model = settings["embedding.model"];
  const baseUrl = settings["embedding.baseUrl"];
  switch (settings["embedding.provider"]) {
    case "builtin":
      return createBuiltinEmbedder(table);
    case "ollama":
      return createOllamaEmbedder(baseUrl || settings["embedding.ollamaUrl"], model, log);
    case "openai":
      return createOpenAiEmbedder({ baseUrl, model, apiKey: settings["embedding.apiKey"], log });
  }
}
