/** Embeds with any service that speaks OpenAI's /v1/embeddings. */

import type { Log } from "../common/log.ts";
import type { Embedder } from "../contracts/embedding.ts";
import { jsonOf, parseAddress, send } from "./http.ts";
import { createRemoteEmbedder, type Patiences } from "./remote.ts";

const DEFAULT_URL = "https://api.openai.com";
const DEFAULT_MODEL = "text-embedding-3-small";

interface Options {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string;
  readonly log: Log;
  readonly patiences?: Patiences;
}

export function createOpenAiEmbedder(options: Options): Embedder {
  const { baseUrl, apiKey, log, patiences } = options;
  const model = options.model || DEFAULT_MODEL;
  const address = parseAddress(baseUrl || DEFAULT_URL, apiKey);
  const endpoint = endpointOf(address.url);
  return createRemoteEmbedder(
    {
      name: `the embedding service at ${endpoint.host}`,
      model,
      modelId: `openai:${model}`,
      log,
      remedyFor: (status) => remedyFor(status, model),
      request: async (texts, signal) => {
        const response = await send(address, endpoint, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
          signal,
        });
        return vectorsIn(await jsonOf(response));
      },
    },
    patiences,
  );
}

/** The address may be given with or without the version (`/v1`, `/v1beta/openai`) and `/embeddings`. */
function endpointOf(base: URL): URL {
  const path = base.pathname.replace(/\/+$/, "");
  const endpoint = new URL(base);
  if (path.endsWith("/embeddings")) endpoint.pathname = path;
  else if (/\/v\d+[a-z]*(\/|$)/.test(path)) endpoint.pathname = `${path}/embeddings`;
  else endpoint.pathname = `${path}/v1/embeddings`;
  return endpoint;
}

function remedyFor(status: number | undefined, model: string): string {
  if (status === 401 || status === 403) return "check COCOSEARCH_EMBEDDING_API_KEY";
  if (status === 404 || status === 400) return `check that the service has the model "${model}"`;
  if (status === 429) return "wait, or raise the limit of your account";
  return "check COCOSEARCH_EMBEDDING_BASE_URL and that the service runs";
}

/** In the order of the texts, which the answer's `index` says. */
function vectorsIn(answer: unknown): unknown {
  const { data } = (answer ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return undefined;
  const entries = data as { index?: number; embedding?: unknown }[];
  const inOrder = entries.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
  return inOrder.map(({ embedding }) => embedding);
}
