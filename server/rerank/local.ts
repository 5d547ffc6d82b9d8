/** Reranks with an installed model: a cross-encoder, or an embedding model by the cosine of its vectors. */

import { Unavailable } from "../common/errors.ts";
import type { LocalModels } from "../contracts/local-models.ts";
import type { Reranker } from "../contracts/query-models.ts";
import type { Settings } from "../contracts/settings.ts";
import { createCircuitBreaker } from "../transport/circuit-breaker.ts";
import { ProviderError } from "../transport/http.ts";
import { fittingDocuments } from "./document-length.ts";

export function createLocalReranker(
  settings: Settings,
  models: LocalModels,
  minOpenMs: number,
): Reranker {
  const model = settings["rerank.model"];
  const budgetMs = settings["rerank.timeoutMs"];
  const breaker = createCircuitBreaker(minOpenMs);
  return {
    id: `local:${model}`,
    candidates: settings["rerank.candidates"],
    get isAvailable() {
      return !breaker.isOpen;
    },
    rerank: async (query, documents, signal) => {
      breaker.check();
      const request = { query, documents: fittingDocuments(documents, query, model), budgetMs };
      try {
        const scores = await models.score(model, request, signal);
        if (scores.length === 0) throw tooSlow(model, budgetMs);
        if (!scores.every(Number.isFinite)) throw notFinite(model);
        breaker.close();
        return scores;
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        throw breaker.open(error, endedBy(model, error));
      }
    },
  };
}

/** Not remembered as a failure: the model may be loading, and the next search finds it loaded. */
function tooSlow(model: string, budgetMs: number): Unavailable {
  return new Unavailable(
    `the local model ${model} scored nothing within ${budgetMs} ms`,
    "ask again once it is loaded, raise rerank.timeoutMs, or use a smaller model",
  );
}

function notFinite(model: string): Unavailable {
  return new Unavailable(
    `the local model ${model} gave a score that is not a finite number`,
    "use another model for rerank.model",
  );
}

function endedBy(model: string, cause: ProviderError): Unavailable {
  return new Unavailable(
    `the local model ${model} does not rerank (${cause.message})`,
    "it is started again by itself; cocosearch-lsp doctor shows its state",
    { cause },
  );
}
