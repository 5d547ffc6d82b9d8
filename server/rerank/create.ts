/** Creates the configured reranker: one client for three dialects. */

import { Unavailable } from "../common/errors.ts";
import type { Reranker } from "../contracts/query-models.ts";
import type { Settings } from "../contracts/settings.ts";
import { createCircuitBreaker } from "../transport/circuit-breaker.ts";
import { ProviderError, parseAddress, postJson } from "../transport/http.ts";
import { withRetries } from "../transport/retry.ts";
import { checkedScores } from "./checked-scores.ts";
import { DIALECTS, rerankDialectAt } from "./dialects.ts";

/** Backoff after a failure, which costs one search the full time limit. */
const MIN_OPEN_MS = 30_000;

/** Models that take more or less than the rest, by the length of question and document together in tokens. */
const CONTEXTS: readonly (readonly [RegExp, number])[] = [
  [/bge-reranker-(base|large)|ms-marco|minilm|jina-reranker-v1|mxbai-rerank-[a-z]+-v1/i, 512],
  [/jina-reranker-v2/i, 1024],
  [/rerank-v3\.5|rerank-(english|multilingual)-v3/i, 4096],
];
const DEFAULT_CONTEXT = 2048;
/** Code has three to four characters per token, so a text truncated at two always fits. */
const CHARACTERS_PER_TOKEN = 2;

/** Returns undefined if no reranker is configured. Tests pass a shorter `minOpenMs`. */
export function createReranker(
  settings: Settings,
  minOpenMs: number = MIN_OPEN_MS,
): Reranker | undefined {
  const url = settings["rerank.url"];
  if (url === "") return undefined;
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
      const cut = maxDocumentLength(model, query);
      const request = { model, query, documents: documents.map((text) => shortened(text, cut)) };
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

function maxDocumentLength(model: string, query: string): number {
  const tokens = CONTEXTS.find(([name]) => name.test(model))?.[1] ?? DEFAULT_CONTEXT;
  const all = tokens * CHARACTERS_PER_TOKEN;
  return Math.max(all / 2, all - query.length);
}

function shortened(text: string, length: number): string {
  const isInsidePair = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isInsidePair ? length - 1 : length);
}

function remedyFor({ status }: ProviderError): string {
  if (status === 401 || status === 403) return "check COCOSEARCH_RERANK_API_KEY";
  if (status === 404) return "rerank.url is the whole address (Ollama has no rerank endpoint)";
  if (status === 400 || status === 422) return "check rerank.model and rerank.dialect";
  if (status === 429) return "wait, or raise the limit of your account";
  return "check COCOSEARCH_RERANK_URL and that the service runs";
}
