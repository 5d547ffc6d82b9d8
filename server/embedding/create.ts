/** Creates the configured embedder. */

import type { Log } from "../common/log.ts";
import type { Embedder } from "../contracts/embedding.ts";
import type { LocalModels } from "../contracts/local-models.ts";
import type { Settings } from "../contracts/settings.ts";
import { createBuiltinEmbedder } from "./builtin.ts";
import type { EmbeddingDialect } from "./dialects/dialect.ts";
import { dialectAt, namedDialect } from "./dialects/dialects.ts";
import { localDialect } from "./dialects/local.ts";
import type { EmbeddingModel } from "./embedding-model.ts";
import { createRemoteEmbedder } from "./remote.ts";

/** The dependencies of the providers that need no service. */
interface OwnModels {
  readonly model: EmbeddingModel;
  readonly localModels: LocalModels;
  readonly log: Log;
}

export function createEmbedder(
  settings: Settings,
  { model: table, localModels, log }: OwnModels,
): Embedder {
  const provider = settings["embedding.provider"];
  if (provider === "builtin") return createBuiltinEmbedder(table);
  const model = settings["embedding.model"];
  const common = {
    model,
    context: settings["embedding.context"],
    dimensions: settings["embedding.dimensions"],
    log,
  };
  if (provider === "local") {
    const baseUrl = model === "" ? "" : `local:${encodeURIComponent(model)}`;
    return createRemoteEmbedder({
      ...common,
      dialect: localDialect(localModels),
      baseUrl,
      apiKey: "",
    });
  }
  const set = settings["embedding.baseUrl"];
  const isOllama = provider === "ollama";
  return createRemoteEmbedder({
    ...common,
    dialect: isOllama ? namedDialect("ollama") : serviceDialect(settings, set),
    baseUrl: set || (isOllama ? settings["embedding.ollamaUrl"] : ""),
    apiKey: isOllama ? "" : settings["embedding.apiKey"],
  });
}

function serviceDialect(settings: Settings, address: string): EmbeddingDialect {
  const named = settings["embedding.dialect"];
  return named === "auto" ? dialectAt(address) : namedDialect(named);
}
