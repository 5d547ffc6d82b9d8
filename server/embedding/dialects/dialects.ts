/** Selects the dialect of an embedding service: from the settings, else from the host of its address. */

import type { EmbeddingDialect, EmbeddingDialectName } from "./dialect.ts";
import { cohere, jina, voyage } from "./hosted.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";

/** The dialects of services. */
export type ServiceDialectName = Exclude<EmbeddingDialectName, "local">;

const BY_NAME: Readonly<Record<ServiceDialectName, EmbeddingDialect>> = {
  ollama,
  openai,
  jina,
  voyage,
  cohere,
};

/** The hosts of services whose own dialect does more than OpenAI's. */
const BY_HOST: readonly (readonly [RegExp, EmbeddingDialect])[] = [
  [/(^|\.)jina\.ai$/, jina],
  [/(^|\.)voyageai\.com$/, voyage],
  [/(^|\.)cohere\.(com|ai)$/, cohere],
];

export function namedDialect(name: ServiceDialectName): EmbeddingDialect {
  return BY_NAME[name];
}

/** OpenAI's where nothing else is known. Cohere and others also serve OpenAI's dialect under a path that says so. */
export function dialectAt(baseUrl: string): EmbeddingDialect {
  if (baseUrl === "") return openai;
  const { hostname, pathname } = new URL(baseUrl);
  if (/compatib|openai/.test(pathname)) return openai;
  return BY_HOST.find(([host]) => host.test(hostname))?.[1] ?? openai;
}
