/** Creates the configured embedder. */

import type { Log } from "../common/log.ts";
import type { Embedder } from "../contracts/embedding.ts";
import type { Settings } from "../contracts/settings.ts";
import { createBuiltinEmbedder } from "./builtin.ts";
import { dialectAt, namedDialect } from "./dialects/dialects.ts";
import type { EmbeddingModel } from "./embedding-model.ts";
import { createRemoteEmbedder } from "./remote.ts";

export function createEmbedder(settings: Settings, table: EmbeddingModel, log: Log): Embedder {
  const provider = settings["embedding.provider"];
  if (provider === "builtin") return createBuiltinEmbedder(table);
  const set = settings["embedding.baseUrl"];
  const named = settings["embedding.dialect"];
  const isOllama = provider === "ollama";
  const dialect = isOllama
    ? namedDialect("ollama")
    : named === "auto"
      ? dialectAt(set)
      : namedDialect(named);
  return createRemoteEmbedder({
    dialect,
    baseUrl: set || (isOllama ? settings["embedding.ollamaUrl"] : ""),
    model: settings["embedding.model"],
    apiKey: isOllama ? "" : settings["embedding.apiKey"],
    context: settings["embedding.context"],
    dimensions: settings["embedding.dimensions"],
    log,
  });
}
