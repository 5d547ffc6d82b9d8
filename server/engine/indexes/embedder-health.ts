/** Tracks whether the embedding model of an index can embed queries; after a failure, probes it until it is back. */

import { messageOf, Unavailable } from "../../common/errors.ts";
import type { Embedder } from "../../contracts/embedding.ts";

/** Probing interval: users start a service and expect the recovery to show. */
const PROBE_EVERY_MS = 5_000;
const PROBE_TIMEOUT_MS = 10_000;

export interface EmbedderHealth {
  /** The embedder, with its failures tracked. */
  readonly embedder: Embedder;
  /** Why queries are answered by keywords only, with a remedy; undefined while they are embedded. */
  readonly failure: string | undefined;
  close(): void;
}

/** `changed` is called when embedding queries starts to fail, and when it works again. */
export function watchEmbedder(
  embedder: Embedder,
  changed: () => void,
  probeEveryMs: number = PROBE_EVERY_MS,
): EmbedderHealth {
  // The built-in model does not fail.
  if (embedder.isLocal) return { embedder, failure: undefined, close: () => undefined };
  let failure: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const note = (reason: string | undefined) => {
    if (isClosed || reason === failure) return;
    failure = reason;
    changed();
  };
  const failed = (error: unknown) => {
    if (!(error instanceof Unavailable)) return;
    note(`only keyword search is available: ${messageOf(error)}`);
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void probe(), probeEveryMs).unref();
  };
  const answered = () => {
    clearTimeout(timer);
    note(undefined);
  };
  const probe = () => embedder.probe(AbortSignal.timeout(PROBE_TIMEOUT_MS)).then(answered, failed);
  const watched: Embedder = {
    ...embedder,
    get dimension() {
      return embedder.dimension;
    },
    embedQuery: async (text, signal) => {
      try {
        const vector = await embedder.embedQuery(text, signal);
        answered();
        return vector;
      } catch (error) {
        if (signal?.aborted !== true) failed(error);
        throw error;
      }
    },
  };
  return {
    embedder: watched,
    get failure() {
      return failure;
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
