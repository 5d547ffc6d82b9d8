/** Asks a provider again where its failure may pass. */

import { setTimeout as delay } from "node:timers/promises";
import pRetry from "p-retry";
import { ProviderError } from "./http.ts";

/** How long a provider is waited for, and how often it is asked. */
export interface Patience {
  readonly retries: number;
  readonly firstDelayMs: number;
  /** For one request. */
  readonly requestMs: number;
}

/** A provider that asks for a longer rest than this gets it, but nobody waits for it. */
const LONGEST_DELAY_MS = 10_000;

/** Rejects with the last failure, or with the signal's reason at once. `ask` gets the time limit of one request. */
export async function withRetries<T>(
  { retries, firstDelayMs, requestMs }: Patience,
  signal: AbortSignal | undefined,
  ask: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  return await pRetry(
    async () => {
      const limit = AbortSignal.timeout(requestMs);
      try {
        return await ask(signal === undefined ? limit : AbortSignal.any([signal, limit]));
      } catch (error) {
        signal?.throwIfAborted();
        if (!limit.aborted) throw error;
        throw new ProviderError(`no answer within ${requestMs} ms`, { cause: error });
      }
    },
    {
      retries,
      minTimeout: firstDelayMs,
      maxTimeout: LONGEST_DELAY_MS,
      randomize: true,
      shouldRetry: ({ error }) => error instanceof ProviderError && mayPass(error),
      onFailedAttempt: async ({ error, retriesLeft }) => {
        if (retriesLeft === 0 || !(error instanceof ProviderError) || !mayPass(error)) return;
        await delay(error.retryAfterMs ?? 0, undefined, signal && { signal });
      },
      ...(signal === undefined ? {} : { signal }),
    },
  );
}

function mayPass({ status, retryAfterMs }: ProviderError): boolean {
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_DELAY_MS) return false;
  return status === undefined || status === 408 || status === 429 || status >= 500;
}
