/** What all providers behind a network share: batches, prefixes, caps, retries, rests and checks. */

import { Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { EmbeddableChunk, Embedder } from "../contracts/embedding.ts";
import { checkedVectors } from "./checks.ts";
import { ProviderError } from "./http.ts";
import { knownModel } from "./known-models.ts";
import { type Patience, withRetries } from "./retry.ts";
import { shortened, type TextsEmbedder, withShorterTexts } from "./text-limits.ts";

/** Texts a request: large enough for throughput, small enough that a local model answers within the time limit. */
const BATCH = 32;
/** One is computed while the answer of another travels. More would stand in the queue of a local model. */
const REQUESTS_AT_ONCE = 2;

/** Indexing can wait; a local model that is loaded first takes up to half a minute. */
const INDEXING: Patience = { retries: 3, firstDelayMs: 300, requestMs: 60_000 };
/** A search goes without meaning rather than being late. */
const SEARCHING: Patience = { retries: 0, firstDelayMs: 0, requestMs: 10_000 };
/** After a failure the provider is left alone for this long, or for as long as it asked. */
const REST_MS = 3_000;

export interface Provider {
  /** Names it in messages: `the Ollama at http://…`. */
  readonly name: string;
  readonly modelId: string;
  readonly model: string;
  readonly log: Log;
  remedyFor(status: number | undefined): string;
  /** One request: a list of vectors, not checked. Rejects with ProviderError. */
  request(texts: readonly string[], signal: AbortSignal): Promise<unknown>;
}

/** Shorter where nothing is worth waiting for: in tests. */
export type Patiences = { readonly indexing: Patience; readonly searching: Patience };

export function createRemoteEmbedder(
  provider: Provider,
  { indexing, searching }: Patiences = { indexing: INDEXING, searching: SEARCHING },
): Embedder {
  const known = knownModel(provider.model);
  const cap = (text: string) => shortened(text, known.characters, provider.log);
  const textOf = ({ path, text }: EmbeddableChunk) =>
    cap(`${known.document}File: ${path}\n${text}`);
  let dimension: number | undefined;
  const rest = createRest();

  async function ask(
    texts: readonly string[],
    patience: Patience,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    try {
      const vectors = await withRetries(patience, signal, async (limit) => {
        const answer = await provider.request(texts, limit);
        return checkedVectors(answer, texts.length, dimension, provider.name);
      });
      dimension ??= vectors[0]?.length;
      rest.end();
      return vectors;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      throw rest.begin(error, provider);
    }
  }

  const embedOne = async (text: string, patience: Patience, signal: AbortSignal | undefined) => {
    const [vector] = await ask([cap(`${known.query}${text}`)], patience, signal);
    return vector as Float32Array;
  };

  return {
    modelId: provider.modelId,
    get dimension() {
      return dimension;
    },
    isLocal: false,
    textOf,
    embedChunks: async (chunks, signal) => {
      rest.check();
      const one: TextsEmbedder = (texts, stop) => ask(texts, indexing, stop);
      const texts = chunks.map(textOf);
      return await inBatches(texts, withShorterTexts(one, provider.log), signal);
    },
    embedQuery: async (text, signal) => {
      rest.check();
      return await embedOne(text, searching, signal);
    },
    probe: async (signal) => (await embedOne("probe", { ...indexing, retries: 0 }, signal)).length,
  };
}

/** Some batches at once, in order; the first failure ends all. */
async function inBatches(
  texts: readonly string[],
  embed: TextsEmbedder,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const failed = new AbortController();
  const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const made: Float32Array[][] = [];
  let next = 0;
  const work = async () => {
    while (next * BATCH < texts.length) {
      const batch = next++;
      made[batch] = await embed(texts.slice(batch * BATCH, (batch + 1) * BATCH), stop);
    }
  };
  try {
    await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
  } catch (error) {
    failed.abort();
    throw error;
  }
  return made.flat();
}

/** Remembers that a provider is down, so that the next search need not find out by waiting. */
function createRest() {
  let until = 0;
  let reason: Unavailable | undefined;
  return {
    check: () => {
      if (reason !== undefined && performance.now() < until) throw reason;
    },
    begin: (failure: ProviderError, provider: Provider): Unavailable => {
      until = performance.now() + Math.max(REST_MS, failure.retryAfterMs ?? 0);
      const what = `${provider.name} does not embed (${failure.message})`;
      reason = new Unavailable(what, provider.remedyFor(failure.status), { cause: failure });
      return reason;
    },
    end: () => {
      reason = undefined;
    },
  };
}
