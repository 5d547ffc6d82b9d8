/** The interface of a dialect: addresses, request bodies, responses, limits, and remedies of an embedding service. No I/O. */

import type { Address } from "../../transport/http.ts";

/** The role of a text; several models embed queries and documents differently. */
export type EmbeddingRole = "document" | "query";

interface EmbeddingRequest {
  readonly model: string;
  readonly texts: readonly string[];
  readonly role: EmbeddingRole;
  /** The name of the model's task for this role, where the service takes one as a field. */
  readonly task: string | undefined;
  /** Matryoshka dimensions; 0 leaves the choice to the model. */
  readonly dimensions: number;
  /** Whether the texts are consecutive chunks of one document, to be embedded as one. */
  readonly isLate: boolean;
}

export type EmbeddingDialectName = "ollama" | "openai" | "jina" | "voyage" | "cohere" | "local";

export interface EmbeddingDialect {
  /** The first part of the model id. */
  readonly name: EmbeddingDialectName;
  readonly defaultUrl: string;
  readonly defaultModel: string;
  /** Limits of one request. Tokens are estimated, so they stay well below what the service allows. */
  readonly maxTexts: number;
  readonly maxTokens: number;
  /** Maximum number of concurrent requests. */
  readonly maxConcurrency: number;
  supportsLateChunking(model: string): boolean;
  /** Names the service in messages. */
  describe(endpoint: URL): string;
  endpointOf(base: URL): URL;
  bodyOf(request: EmbeddingRequest): unknown;
  /** The function of the transport that takes such a body; resolves to the answer, not checked. */
  post(endpoint: Address, body: unknown, signal: AbortSignal): Promise<unknown>;
  /** A list of vectors in the order of the texts, not checked. */
  vectorsIn(answer: unknown): unknown;
  /** The tokens that the service counted. */
  tokensIn(answer: unknown): number | undefined;
  remedyFor(status: number | undefined, model: string): string;
}

/** Reads a member of an unvalidated response. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null
        ? (inner as Readonly<Record<string, unknown>>)[key]
        : undefined,
    value,
  );
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = member(value, ...path);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}
