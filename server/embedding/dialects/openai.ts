/** OpenAI's /v1/embeddings, as many services speak it: https://developers.openai.com/api/reference/resources/embeddings. */

import { postJson } from "../../transport/http.ts";
import { type EmbeddingDialect, member, numberAt } from "./dialect.ts";

export const openai: EmbeddingDialect = {
  name: "openai",
  defaultUrl: "https://api.openai.com",
  defaultModel: "text-embedding-3-small",
  // Text Embeddings Inference refuses more than 32 texts by default; OpenAI allows 2,048 and 300,000 tokens.
  maxTexts: 32,
  maxTokens: 16_000,
  maxConcurrency: 2,
  supportsLateChunking: () => false,
  describe: ({ host }) => `the embedding service at ${host}`,
  endpointOf: (base) => versionedEndpoint(base, "v1", "embeddings"),
  bodyOf: ({ model, texts, dimensions }) => ({
    model,
    input: texts,
    encoding_format: "float",
    ...(dimensions === 0 ? {} : { dimensions }),
  }),
  post: postJson,
  vectorsIn,
  tokensIn: (answer) => numberAt(answer, "usage", "total_tokens"),
  remedyFor,
};

/** The address may be given with or without the version (`/v1`, `/v1beta/openai`) and the last segment. */
export function versionedEndpoint(base: URL, version: string, last: string): URL {
  const path = base.pathname.replace(/\/+$/, "");
  const endpoint = new URL(base);
  if (path.endsWith(`/${last}`)) endpoint.pathname = path;
  else if (/\/v\d+[a-z]*(\/|$)/.test(path)) endpoint.pathname = `${path}/${last}`;
  else endpoint.pathname = `${path}/${version}/${last}`;
  return endpoint;
}

/** In the order of the texts, which the answer's `index` says. */
function vectorsIn(answer: unknown): unknown {
  const { data } = (answer ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return undefined;
  const place = (entry: unknown) => numberAt(entry, "index") ?? 0;
  const sorted = (data as unknown[]).toSorted((a, b) => place(a) - place(b));
  return sorted.map((entry) => member(entry, "embedding"));
}

function remedyFor(status: number | undefined, model: string): string {
  if (status === 401 || status === 403) return "check COCOSEARCH_EMBEDDING_API_KEY";
  if (status === 404 || status === 400) return `check that the service has the model "${model}"`;
  if (status === 429) return "wait, or raise the limit of your account";
  return "check COCOSEARCH_EMBEDDING_BASE_URL and that the service runs";
}
