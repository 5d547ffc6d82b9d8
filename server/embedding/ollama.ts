/** Embeds with a model in an Ollama. */

import { Ollama } from "ollama";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Embedder } from "../ports.ts";
import { createRemoteEmbedder } from "./remote.ts";
import { ProviderError } from "./retry.ts";

const DEFAULT_MODEL = "nomic-embed-text";

export function createOllamaEmbedder(host: string, model: string, log: Log): Embedder {
  const name = model || DEFAULT_MODEL;
  return createRemoteEmbedder({
    name: `the Ollama at ${host}`,
    model: name,
    modelId: `ollama:${name}`,
    log,
    remedyFor: (status) =>
      status === 404
        ? `run "ollama pull ${name}"`
        : 'start it with "ollama serve", or check its address',
    request: async (texts, signal) => {
      // A client of its own: the library can only end all requests of one.
      const client = new Ollama({ host });
      const abort = () => client.abort();
      signal.addEventListener("abort", abort, { once: true });
      try {
        const request = client.embed({ model: name, input: [...texts], truncate: true });
        const { embeddings } = await Promise.race([request, aborted(signal)]);
        return embeddings;
      } catch (error) {
        signal.throwIfAborted();
        const status = statusOf(error);
        throw status === undefined ? error : new ProviderError(messageOf(error), status);
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
  });
}

/** Rejects when the signal does: the library's own abort does not reach requests without streams. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof Error && "status_code" in error && typeof error.status_code === "number") {
    return error.status_code;
  }
  return undefined;
}
