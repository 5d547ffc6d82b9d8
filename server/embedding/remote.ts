/**
 * Embeds with a service, such as Ollama or an endpoint compatible with OpenAI, or with a local model, in three layers that are entered once per
 * request: batching and caps (here), the service's dialect (dialects/), and transport (transport/: retries, time limits,
 * circuit breaker).
 */

import { createHash } from "node:crypto";
import { Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { EmbeddableChunk, Embedder } from "../contracts/embedding.ts";
import { createCircuitBreaker } from "../transport/circuit-breaker.ts";
import { messageIn, ProviderError, parseAddress } from "../transport/http.ts";
import { type RetryPolicy, withRetries } from "../transport/retry.ts";
import { type Batch, batchesOf, windowsOf } from "./batches.ts";
import type { EmbeddingDialect, EmbeddingRole } from "./dialects/dialect.ts";
import { knownModel } from "./known-models.ts";
import { shortened, type TextsEmbedder, withShorterTexts } from "./text-limits.ts";
import { createUsageMeter } from "./usage.ts";

/** Indexing retries with a long timeout: a local model takes up to half a minute to load. */
const INDEXING: RetryPolicy = { retries: 3, firstDelayMs: 300, requestMs: 60_000 };
/** A search does not retry: it continues without the vector lane rather than wait. */
const SEARCHING: RetryPolicy = { retries: 0, firstDelayMs: 0, requestMs: 10_000 };
/** Backoff after a failure, unless the service sends a longer retry delay. */
const MIN_OPEN_MS = 3_000;

/** Retry policies; tests pass shorter ones. */
export interface RetryPolicies {
  readonly indexing: RetryPolicy;
  readonly searching: RetryPolicy;
}

export interface RemoteOptions {
  readonly dialect: EmbeddingDialect;
  /** Empty for the dialect's own. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string;
  readonly context: EmbeddingContext;
  /** 0 for the model's own. */
  readonly dimensions: number;
  readonly log: Log;
  readonly policies?: RetryPolicies;
}

export function createRemoteEmbedder(options: RemoteOptions): Embedder {
  const { dialect, log } = options;
  const { indexing, searching } = options.policies ?? { indexing: INDEXING, searching: SEARCHING };
  const model = options.model || dialect.defaultModel;
  const context = contextOf(options, model);
  const isLate = context === "late";
  const known = knownModel(model, dialect.name);
  const ask = createAsk(options, model, isLate);
  const meter = createUsageMeter();
  const textOf = (chunk: EmbeddableChunk) =>
    shortened(`${known.prefixes.document}${documentText(chunk, context)}`, known.characters, log);
  const embedOne = async (text: string, policy: RetryPolicy, signal: AbortSignal | undefined) => {
    const query = shortened(`${known.prefixes.query}${text}`, known.characters, log);
    const { vectors } = await ask([query], "query", policy, signal);
    return vectors[0] as Float32Array;
  };
  return {
    modelId: modelIdOf(options, model, context),
    get dimension() {
      return ask.dimension();
    },
    isLocal: false,
    embedsWholeFiles: isLate,
    cacheTexts: (file) => (isLate ? lateCacheTexts(file.map(textOf)) : file.map(textOf)),
    embedChunks: async (chunks, signal) => {
      ask.check();
      const texts = chunks.map(textOf);
      const batches = isLate
        ? windowsOf(
            texts,
            chunks.map(({ path }) => path),
            { ...dialect, maxTokens: Math.min(dialect.maxTokens, known.tokens) },
          )
        : batchesOf(texts, dialect);
      const pool = new RequestPool(dialect.maxConcurrency);
      const embed: TextsEmbedder = (some, stop) =>
        meter.count(some, () => ask(some, "document", indexing, stop, () => pool.narrow()));
      return await pool.run(texts, batches, withShorterTexts(embed, log), signal);
    },
    embedQuery: async (text, signal) => {
      ask.check();
      return await embedOne(text, searching, signal);
    },
    probe: async (signal) => {
      ask.forgetDimension();
      return (await embedOne("probe", { ...indexing, retries: 0 }, signal)).length;
    },
    usage: () => meter.usage(),
  };
}

function contextOf({ dialect, context, log }: RemoteOptions, model: string): EmbeddingContext {
  if (context !== "late" || dialect.supportsLateChunking(model)) return context;
  log.warn("embedding.context is late, which the model does not offer: none is used", { model });
  return "none";
}

/** The model id includes the context and the dimension, since both change the vectors. */
function modelIdOf(
  { dialect, dimensions }: RemoteOptions,
  model: string,
  context: EmbeddingContext,
): string {
  const parts = [dialect.name, model];
  if (context !== "none") parts.push(context);
  if (dimensions !== 0) parts.push(String(dimensions));
  return parts.join(":");
}

interface Answered {
  readonly vectors: Float32Array[];
  /** The count of the service. */
  readonly tokens: number | undefined;
}

/** One request with its retries; `check` throws while the service is left alone. */
interface Ask {
  (
    texts: readonly string[],
    role: EmbeddingRole,
    policy: RetryPolicy,
    signal: AbortSignal | undefined,
    rateLimited?: () => void,
  ): Promise<Answered>;
  check(): void;
  dimension(): number | undefined;
  /** The next answer shows it again. */
  forgetDimension(): void;
}

function createAsk(options: RemoteOptions, model: string, isLate: boolean): Ask {
  const { dialect, baseUrl, apiKey, dimensions } = options;
  const address = parseAddress(baseUrl || dialect.defaultUrl, apiKey);
  const endpoint = { ...address, url: dialect.endpointOf(address.url) };
  const name = dialect.describe(endpoint.url);
  const { tasks } = knownModel(model, dialect.name);
  const breaker = createCircuitBreaker(MIN_OPEN_MS);
  const requestedDimension = dimensions === 0 ? undefined : dimensions;
  let dimension = requestedDimension;

  /** Some services report an error in a response with a success status. */
  const withoutVectors = (answer: unknown) => {
    const said = messageIn(answer, endpoint.secrets);
    if (said !== undefined) {
      return new Unavailable(`${name} does not embed (${said})`, dialect.remedyFor(404, model));
    }
    return answer === undefined
      ? new Unavailable(
          `${name} answered something that is no JSON`,
          "check that its address leads to the service, and not to a web page",
        )
      : new Unavailable(`${name} answered without a list of vectors`, NO_EMBEDDINGS);
  };
  const ask = async (
    texts: readonly string[],
    role: EmbeddingRole,
    policy: RetryPolicy,
    signal: AbortSignal | undefined,
    rateLimited: () => void = () => undefined,
  ): Promise<Answered> => {
    const request = { model, texts, role, task: tasks?.[role], dimensions };
    const body = dialect.bodyOf({ ...request, isLate: isLate && role === "document" });
    try {
      const answer = await withRetries(
        policy,
        signal,
        (limit) => dialect.post(endpoint, body, limit),
        ({ status }) => (status === 429 ? rateLimited() : undefined),
      );
      breaker.close();
      const list = dialect.vectorsIn(answer);
      if (!Array.isArray(list)) throw withoutVectors(answer);
      const vectors = checkedVectors(list, texts.length, dimension, name);
      dimension ??= vectors[0]?.length;
      return { vectors, tokens: dialect.tokensIn(answer) };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const what = `${name} does not embed (${error.message})`;
      const remedy = dialect.remedyFor(error.status, model);
      throw breaker.open(error, new Unavailable(what, remedy, { cause: error }));
    }
  };
  return Object.assign(ask, {
    check: breaker.check,
    dimension: () => dimension,
    forgetDimension: () => {
      dimension = requestedDimension;
    },
  });
}

/** Some requests at once, in order; one at a time after the service has limited the rate. The first failure ends all. */
class RequestPool {
  #width: number;

  constructor(width: number) {
    this.#width = width;
  }

  narrow(): void {
    this.#width = 1;
  }

  async run(
    texts: readonly string[],
    batches: readonly Batch[],
    embed: TextsEmbedder,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const failed = new AbortController();
    const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
    const vectors: Float32Array[] = [];
    const waiting = [...batches];
    const work = async (worker: number) => {
      while (worker < this.#width) {
        const batch = waiting.shift();
        if (batch === undefined) return;
        const made = await embed(
          batch.members.map((i) => texts[i] as string),
          stop,
        );
        for (const [k, i] of batch.members.entries()) {
          if (batch.kept.has(i)) vectors[i] = made[k] as Float32Array;
        }
      }
    };
    try {
      await Promise.all(Array.from({ length: this.#width }, (_, worker) => work(worker)));
    } catch (error) {
      failed.abort();
      throw error;
    }
    return vectors;
  }
}

/**
 * `none`: the path and the chunk. `header`: also language, enclosing definitions and lines. `late`: the chunk as it
 * is, in one request with its file's other chunks.
 */
type EmbeddingContext = "none" | "header" | "late";

function documentText(chunk: EmbeddableChunk, context: EmbeddingContext): string {
  const { path, text, languageId, hierarchy, lines } = chunk;
  if (context === "late") return text;
  const header = [`File: ${path}`];
  if (context === "header") {
    if (languageId !== undefined) header.push(`Language: ${languageId}`);
    if (hierarchy !== undefined && hierarchy !== "") header.push(`Inside: ${hierarchy}`);
    if (lines !== undefined) header.push(`Lines: ${lines.start + 1}-${lines.end + 1}`);
  }
  return `${header.join("\n")}\n${text}`;
}

/** Cache keys for late chunking, where a vector depends on all texts of the file and on the position of its chunk. */
function lateCacheTexts(texts: readonly string[]): string[] {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${Buffer.byteLength(text)}\n`).update(text);
  const file = hash.digest("hex");
  return texts.map((_, i) => `late chunking: chunk ${i} of ${texts.length} of the file ${file}`);
}

const NO_EMBEDDINGS = "check that its model is one for embeddings";

/**
 * One vector per text, all of one dimension, finite, not zero; normalized to length 1.
 * Throws Unavailable, which names the provider and the defect of its answer.
 */
function checkedVectors(
  answer: readonly unknown[],
  count: number,
  dimension: number | undefined,
  provider: string,
): Float32Array[] {
  const wrong = (what: string) => new Unavailable(`${provider} answered ${what}`, NO_EMBEDDINGS);
  if (answer.length !== count) throw wrong(`${answer.length} vectors for ${count} texts`);
  let expected = dimension;
  return answer.map((numbers: unknown) => {
    if (!Array.isArray(numbers) || numbers.length === 0)
      throw wrong("something that is not a vector");
    expected ??= numbers.length;
    if (numbers.length !== expected) {
      throw wrong(`a vector of ${numbers.length} dimensions where ${expected} were expected`);
    }
    const length = Math.sqrt(numbers.reduce((sum: number, value) => sum + Number(value) ** 2, 0));
    // This also catches finite numbers whose square is not finite.
    if (!numbers.every((value) => typeof value === "number") || !Number.isFinite(length)) {
      throw wrong("a vector with a number that is not finite");
    }
    if (length === 0) throw wrong("a vector that is all zero");
    return Float32Array.from(numbers, (value) => value / length);
  });
}
