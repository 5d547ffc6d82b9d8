/** The reranker and the rewriter of a session's settings: one for all searches, so that a failure is remembered. */

import { LRUCache } from "lru-cache";
import { getOrCreate } from "../../common/get-or-create.ts";
import type { LocalModels } from "../../contracts/local-models.ts";
import type { Likeness, Reranker, Rewriter } from "../../contracts/query-models.ts";
import type { Settings } from "../../contracts/settings.ts";
import { createReranker, providerOf } from "../../rerank/create.ts";
import { createRewriter } from "../../rewrite/create.ts";

/** Sessions with other settings than the last ones create them again. */
const MAX_KEPT = 8;

export interface QueryModels {
  readonly reranker: Reranker | undefined;
  readonly rewriter: Rewriter | undefined;
}

export const NO_MODELS: QueryModels = { reranker: undefined, rewriter: undefined };

export class QueryModelsOf {
  readonly #likeness: Likeness;
  readonly #localModels: LocalModels;
  readonly #kept = new LRUCache<string, QueryModels>({ max: MAX_KEPT });

  constructor(likeness: Likeness, localModels: LocalModels) {
    this.#likeness = likeness;
    this.#localModels = localModels;
  }

  get(settings: Settings): QueryModels {
    // Most users have neither: their searches do not pay for the look-up.
    if (providerOf(settings) === "none" && settings["rewrite.provider"] === "none")
      return NO_MODELS;
    return getOrCreate<string, QueryModels>(this.#kept, keyOf(settings), () => ({
      reranker: createReranker(settings, this.#localModels),
      rewriter: createRewriter(settings, this.#likeness),
    }));
  }
}

/** `rewrite.baseUrl` falls back to the address of the Ollama. */
function keyOf(settings: Settings): string {
  const own = Object.entries(settings).filter(
    ([name]) => /^(rerank|rewrite)\./.test(name) || name === "embedding.ollamaUrl",
  );
  return JSON.stringify(own);
}
