/** What all providers behind a network share: batches, prefixes, caps, retries and checks. */

import type { Log } from "../log.ts";
import type { EmbeddableChunk, Embedder } from "../ports.ts";
import { checkedVectors } from "./checks.ts";
import { withRetries } from "./retry.ts";

/** Texts a request: large enough for throughput, small enough that a local model answers within the time limit. */
const BATCH = 32;
const REQUEST_MS = 60_000;

export interface Provider {
  /** Names it in messages: `Ollama at http://…`. */
  readonly name: string;
  readonly modelId: string;
  readonly model: string;
  readonly log: Log;
  remedyFor(status: number | undefined): string;
  /** One request; rejects with ProviderError. */
  request(texts: readonly string[], signal: AbortSignal): Promise<unknown>;
}

interface Prefixes {
  readonly document: string;
  readonly query: string;
}

/** Prefixes that model cards require, and how many characters surely fit into the context (2 a token for code). */
const MODELS: readonly {
  readonly is: RegExp;
  readonly prefixes?: Prefixes;
  readonly characters: number;
}[] = [
  {
    is: /nomic-embed-text/,
    prefixes: { document: "search_document: ", query: "search_query: " },
    characters: 4_000,
  },
  {
    is: /coderankembed|nomic-embed-code/i,
    prefixes: { document: "", query: "Represent this query for searching relevant code: " },
    characters: 4_000,
  },
  { is: /(^|[/-])e5-/, prefixes: { document: "passage: ", query: "query: " }, characters: 1_000 },
  { is: /all-minilm|bge-small|bge-base|arctic-embed-x?s/, characters: 1_000 },
  { is: /text-embedding-3|voyage|jina|codestral|bge-m3/, characters: 16_000 },
];
const UNKNOWN_CHARACTERS = 4_000;

export function createRemoteEmbedder(provider: Provider): Embedder {
  const known = MODELS.find(({ is }) => is.test(provider.model));
  const prefixes = known?.prefixes ?? { document: "", query: "" };
  const characters = known?.characters ?? UNKNOWN_CHARACTERS;
  let dimension: number | undefined;
  let wasCut = false;

  const cap = (text: string) => {
    if (text.length <= characters) return text;
    if (!wasCut) provider.log.warn("text is cut to fit the model", { characters });
    wasCut = true;
    return text.slice(0, characters);
  };

  const textOf = ({ path, text }: EmbeddableChunk) =>
    cap(`${prefixes.document}File: ${path}\n${text}`);

  async function embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += BATCH) {
      const batch = texts.slice(from, from + BATCH);
      const made = await withRetries(provider.name, signal, provider.remedyFor, async () => {
        const limit = AbortSignal.timeout(REQUEST_MS);
        const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
        return checkedVectors(
          await provider.request(batch, both),
          batch.length,
          dimension,
          provider.name,
        );
      });
      dimension ??= made[0]?.length;
      vectors.push(...made);
    }
    return vectors;
  }

  const embedOne = async (text: string, signal?: AbortSignal): Promise<Float32Array> => {
    const [vector] = await embed([cap(`${prefixes.query}${text}`)], signal);
    return vector as Float32Array;
  };

  return {
    modelId: provider.modelId,
    get dimension() {
      return dimension;
    },
    isLocal: false,
    textOf,
    embedChunks: (chunks, signal) => embed(chunks.map(textOf), signal),
    embedQuery: embedOne,
    probe: async (signal) => (await embedOne("probe", signal)).length,
  };
}
