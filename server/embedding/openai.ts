/** Embeds with any service that speaks OpenAI's /v1/embeddings. */

import type { Log } from "../log.ts";
import type { Embedder } from "../ports.ts";
import { createRemoteEmbedder } from "./remote.ts";
import { ProviderError } from "./retry.ts";

const DEFAULT_URL = "https://api.openai.com";
const DEFAULT_MODEL = "text-embedding-3-small";

interface Options {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string;
  readonly log: Log;
}

export function createOpenAiEmbedder({ baseUrl, model, apiKey, log }: Options): Embedder {
  const url = endpointOf(baseUrl || DEFAULT_URL);
  const name = model || DEFAULT_MODEL;
  return createRemoteEmbedder({
    name: `the embedding service at ${new URL(url).host}`,
    model: name,
    modelId: `openai:${name}`,
    log,
    remedyFor: (status) => remedyFor(status, name),
    request: async (texts, signal) => {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model: name, input: texts, encoding_format: "float" }),
        redirect: "error",
        signal,
      });
      const body = await response.text();
      if (!response.ok) {
        throw new ProviderError(errorIn(body, response.status), response.status, waitOf(response));
      }
      return vectorsIn(body);
    },
  });
}

/** The address may be given with or without /v1 and /embeddings. */
function endpointOf(baseUrl: string): string {
  const plain = baseUrl.replace(/\/+$/, "");
  if (plain.endsWith("/embeddings")) return plain;
  return /\/v\d+[a-z]*$/.test(plain) ? `${plain}/embeddings` : `${plain}/v1/embeddings`;
}

function remedyFor(status: number | undefined, model: string): string {
  if (status === 401 || status === 403) return "check COCOSEARCH_EMBEDDING_API_KEY";
  if (status === 404 || status === 400) return `check that the service has the model "${model}"`;
  if (status === 429) return "wait, or raise the limit of your account";
  return "check COCOSEARCH_EMBEDDING_BASE_URL and that the service runs";
}

function waitOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

/** What the service says of its failure, without what it may repeat of the request. */
function errorIn(body: string, status: number): string {
  const message = (parsed(body) as { error?: { message?: unknown } } | undefined)?.error?.message;
  return typeof message === "string" ? `${status}: ${message.slice(0, 200)}` : `status ${status}`;
}

/** In the order of the texts, which the answer's `index` says. */
function vectorsIn(body: string): unknown {
  const { data } = (parsed(body) ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return undefined;
  const entries = data as { index?: number; embedding?: unknown }[];
  const inOrder = entries.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
  return inOrder.map(({ embedding }) => embedding);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
