/** Creates the configured query rewriter: a small language model behind Ollama or an OpenAI-compatible service. */

import { Unavailable } from "../common/errors.ts";
import type { Likeness, Rewriter, Rewritten } from "../contracts/query-models.ts";
import type { Settings } from "../contracts/settings.ts";
import { createCircuitBreaker } from "../transport/circuit-breaker.ts";
import { type Address, ProviderError, parseAddress, postJson } from "../transport/http.ts";
import { chatWithOllama } from "../transport/ollama.ts";
import { withRetries } from "../transport/retry.ts";

const TIMEOUT_MS = 5_000;
const MAX_TOKENS = 64;
/** Backoff after a failure: searches skip the model for this long. */
const MIN_OPEN_MS = 30_000;

/** A longer answer is not a search query: this many times the question, and some characters more. */
const MAX_GROWTH = 4;
const MAX_EXTRA_LENGTH = 64;

/**
 * A rewritten query that is less alike is about something else. By the built-in model, 60 rewrites written by hand are
 * .40 to .9 like their questions; random words are at most .20 like them, other questions .24 in 99 of 100 cases. Without
 * this limit, fusing random words loses .07 of NDCG@10 at the smallest weight.
 */
const MIN_LIKENESS = 0.35;

const INSTRUCTION =
  "You rewrite questions about source code into search queries. Answer with one line: the words that the code, " +
  "its comments and its identifiers would contain. No explanation, no quotes.";

interface Message {
  readonly content?: unknown;
}

interface ChatDialect {
  readonly defaultModel: string;
  endpointOf(base: URL): URL;
  ask(endpoint: Address, model: string, query: string, signal: AbortSignal): Promise<unknown>;
  /** The model's message in an answer; undefined in an answer of another service. */
  messageIn(answer: unknown): Message | undefined | null;
}

const DIALECTS: Readonly<Record<"ollama" | "openai", ChatDialect>> = {
  // https://docs.ollama.com/api/chat
  ollama: {
    defaultModel: "qwen2.5:3b",
    // The package appends the rest.
    endpointOf: (base) => base,
    ask: (endpoint, model, query, signal) => {
      const options = { temperature: 0, num_predict: MAX_TOKENS };
      const request = { model, messages: messagesFor(query), stream: false, options } as const;
      return chatWithOllama(endpoint, request, signal);
    },
    messageIn: (answer) => (answer as { message?: Message } | undefined | null)?.message,
  },
  // https://developers.openai.com/api/reference/resources/chat
  openai: {
    defaultModel: "gpt-4o-mini",
    endpointOf: (base) => {
      const path = pathOf(base).replace(/\/chat\/completions$/, "");
      const version = /\/v\d+[a-z]*(\/|$)/.test(path) ? "" : "/v1";
      return withPath(base, `${path}${version}/chat/completions`);
    },
    ask: (endpoint, model, query, signal) => {
      const messages = messagesFor(query);
      const body = { model, messages, temperature: 0, max_tokens: MAX_TOKENS };
      return postJson(endpoint, body, signal);
    },
    messageIn: (answer) =>
      (answer as { choices?: { message?: Message }[] } | undefined | null)?.choices?.[0]?.message,
  },
};

/** Returns undefined if no rewriter is configured. Tests pass shorter limits. */
export function createRewriter(
  settings: Settings,
  likeness: Likeness,
  limits: { readonly timeoutMs: number; readonly minOpenMs: number } = {
    timeoutMs: TIMEOUT_MS,
    minOpenMs: MIN_OPEN_MS,
  },
): Rewriter | undefined {
  const provider = settings["rewrite.provider"];
  if (provider === "none") return undefined;
  const dialect = DIALECTS[provider];
  const model = settings["rewrite.model"] || dialect.defaultModel;
  const own = provider === "ollama" ? settings["embedding.ollamaUrl"] : "https://api.openai.com";
  const address = parseAddress(settings["rewrite.baseUrl"] || own, settings["rewrite.apiKey"]);
  const endpoint = { ...address, url: dialect.endpointOf(address.url) };
  const policy = { retries: 0, firstDelayMs: 0, requestMs: limits.timeoutMs };
  const breaker = createCircuitBreaker(limits.minOpenMs);
  return {
    id: `${provider}:${model}@${endpoint.url.host}`,
    get isAvailable() {
      return !breaker.isOpen;
    },
    rewrite: async (query, signal) => {
      breaker.check();
      try {
        const answer = await withRetries(policy, signal, (limit) =>
          dialect.ask(endpoint, model, query, limit),
        );
        const message = dialect.messageIn(answer);
        if (message === undefined || message === null)
          throw new ProviderError("it answered without a message", {});
        breaker.close();
        return accepted(message.content, query, likeness);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        const what = `${model} at ${endpoint.url.host} does not rewrite queries (${error.message})`;
        const remedy = "check rewrite.provider, rewrite.model and rewrite.baseUrl";
        throw breaker.open(error, new Unavailable(what, remedy, { cause: error }));
      }
    },
  };
}

/** A refused answer says nothing about the service: the next question may be answered well. */
function accepted(answer: unknown, query: string, likeness: Likeness): Rewritten {
  if (typeof answer !== "string" || answer.trim() === "") return { refused: "no text" };
  const text = answer.trim();
  if (/[\r\n]/.test(text)) return { refused: "several lines" };
  if (text.length > MAX_GROWTH * query.length + MAX_EXTRA_LENGTH) return { refused: "too long" };
  if (likeness(query, text) < MIN_LIKENESS) return { refused: "another meaning" };
  return { text };
}

function messagesFor(query: string) {
  return [
    { role: "system", content: INSTRUCTION },
    { role: "user", content: query },
  ];
}

function pathOf(base: URL): string {
  return base.pathname.replace(/\/+$/, "");
}

function withPath(base: URL, path: string): URL {
  const url = new URL(base.href);
  url.pathname = path;
  return url;
}
