/** Creates the configured reranker: an endpoint, by one client for three dialects, or a local model. */

import { Unavailable } from "../common/errors.ts";
import type { LocalModels } from "../contracts/local-models.ts";
import type { Reranker } from "../contracts/query-models.ts";
import type { Settings } from "../contracts/settings.ts";
import { createCircuitBreaker } from "../transport/circuit-breaker.ts";
import { ProviderError, parseAddress, postJson } from "../transport/http.ts";
import { withRetries } from "../transport/retry.ts";
import { DIALECTS, rerankDialectAt } from "./dialects.ts";
import { fittingDocuments } from "./document-length.ts";
import { createLocalReranker } from "./local.ts";

/** Backoff after a failure, which costs one search the full time limit. */
const MIN_OPEN_MS = 30_000;

/** Returns undefined if no reranker is configured. Tests pass a shorter `minOpenMs`. */
export function createReranker(
  settings: Settings,
  localModels: LocalModels,
  minOpenMs: number = MIN_OPEN_MS,
): Reranker | undefined {
  const url = settings["rerank.url"];
  const provider = providerOf(settings);
  if (provider === "none") return undefined;
  if (provider === "local") return createLocalReranker(settings, localModels, minOpenMs);
  const model = settings["rerank.model"];
  const address = parseAddress(url, settings["rerank.apiKey"]);
  const set = settings["rerank.dialect"];
  const dialectName = set === "auto" ? rerankDialectAt(address.url, model) : set;
  const dialect = DIALECTS[dialectName];
  const place = `the reranker at ${address.url.host}`;
  const policy = { retries: 0, firstDelayMs: 0, requestMs: settings["rerank.timeoutMs"] };
  const breaker = createCircuitBreaker(minOpenMs);

  const failed = (failure: ProviderError) => {
    const what = `${place} does not answer (${failure.message})`;
    return breaker.open(failure, new Unavailable(what, remedyFor(failure), { cause: failure }));
  };
  return {
    id: `${dialectName}:${model || "default"}@${address.url.host}${address.url.pathname}`,
    candidates: settings["rerank.candidates"],
    get isAvailable() {
      return !breaker.isOpen;
    },
    rerank: async (query, documents, signal) => {
      breaker.check();
      const request = { model, query, documents: fittingDocuments(documents, query, model) };
      try {
        const answer = await withRetries(policy, signal, (limit) =>
          postJson(address, dialect.bodyOf(request), limit),
        );
        const entries = dialect.entriesIn(answer);
        const scores = checkedScores(entries, documents.length, dialect.scoreName);
        if ("problem" in scores) throw new ProviderError(`it answered ${scores.problem}`, {});
        breaker.close();
        return scores;
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        throw failed(error);
      }
    },
  };
}

/** The provider, with `auto` decided. An endpoint without an address is none. */
export function providerOf(settings: Settings): "none" | "http" | "local" {
  const provider = settings["rerank.provider"];
  if (provider === "local" || provider === "none") return provider;
  return settings["rerank.url"] === "" ? "none" : "http";
}

function remedyFor({ status }: ProviderError): string {
  if (status === 401 || status === 403) return "check COCOSEARCH_RERANK_API_KEY";
  if (status === 404) return "rerank.url is the whole address (Ollama has no rerank endpoint)";
  if (status === 400 || status === 422) return "check rerank.model and rerank.dialect";
  if (status === 429) return "wait, or raise the limit of your account";
  return "check COCOSEARCH_RERANK_URL and that the service runs";
}

/** Returns one score per document, in the order of the documents, or a message that names the defect of the answer. */
function checkedScores(
  entries: unknown,
  count: number,
  scoreName: string,
): number[] | { readonly problem: string } {
  if (!Array.isArray(entries)) return { problem: "without a list of scores" };
  if (entries.length !== count) {
    return { problem: `${entries.length} scores for ${count} documents` };
  }
  const scores = new Map<number, number>();
  for (const entry of entries as readonly (Readonly<Record<string, unknown>> | null)[]) {
    const [index, score] = [entry?.["index"], entry?.[scoreName]];
    if (typeof score !== "number" || !Number.isFinite(score)) {
      return { problem: "a score that is not a finite number" };
    }
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= count) {
      return { problem: "a score for a document that was not sent" };
    }
    scores.set(index, score);
  }
  if (scores.size !== count) return { problem: "several scores for one document" };
  return Array.from({ length: count }, (_, i) => scores.get(i) as number);
}
