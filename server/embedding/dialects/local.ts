/** A model that runs on this machine, in a process of its own: models/ answers instead of a service. */

import type { LocalModels } from "../../contracts/local-models.ts";
import type { EmbeddingDialect } from "./dialect.ts";

const DEFAULT_MODEL = "all-MiniLM-L6-v2";

interface Body {
  readonly model: string;
  readonly texts: readonly string[];
  readonly isQuery: boolean;
  readonly dimensions: number;
  readonly isLate: boolean;
}

export function localDialect(models: LocalModels): EmbeddingDialect {
  return {
    name: "local",
    defaultUrl: `local:${DEFAULT_MODEL}`,
    defaultModel: DEFAULT_MODEL,
    // A text takes 20 ms to a second, and a request may take a minute. With late chunking its texts pass the network together, and
    // attention costs the square of their tokens.
    maxTexts: 16,
    maxTokens: 2_048,
    // The process answers one text at a time.
    maxConcurrency: 1,
    supportsLateChunking: (model) => models.embedsTogether(model),
    describe: ({ pathname }) => `the local model ${pathname}`,
    endpointOf: (base) => base,
    bodyOf: ({ model, texts, role, dimensions, isLate }): Body => ({
      model,
      texts,
      isQuery: role === "query",
      dimensions,
      isLate,
    }),
    post: async (_endpoint, body, signal) => {
      const { model, ...request } = body as Body;
      return await models.embed(model, request, signal);
    },
    vectorsIn: (answer) => (answer as readonly Float32Array[]).map((vector) => Array.from(vector)),
    tokensIn: () => undefined,
    remedyFor: () => "it is started again by itself; cocosearch-lsp doctor shows its state",
  };
}
