/** Retries a request after a temporary failure, with exponential backoff and jitter. */

import { setTimeout as delay } from "node:timers/promises";
import pRetry from "p-retry";
import { ProviderError } from "./http.ts";

/** The time limit of one request, the number of retries, and the first delay. */
export interface RetryPolicy {
  readonly retries: number;
  readonly firstDelayMs: number;
  /** The time limit of one request. */
  readonly requestMs: number;
}

/** A request is not retried if the provider requests a longer delay (Retry-After). */
const MAX_DELAY_MS = 10_000;

/**
 * Rejects with the last failure, or immediately with the signal's reason. `ask` gets a signal with the time limit of one
 * request. `onRetry` is called with each failure that is retried.
 */
export async function withRetries<T>(
  { retries, firstDelayMs, requestMs }: RetryPolicy,
  signal: AbortSignal | undefined,
  ask: (limit: AbortSignal) => Promise<T>,
  onRetry?: (failure: ProviderError) => void,
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
      maxTimeout: MAX_DELAY_MS,
      randomize: true,
      shouldRetry: ({ error }) => isTemporary(error),
      onFailedAttempt: async ({ error, retriesLeft }) => {
        if (retriesLeft === 0 || !isTemporary(error)) return;
        onRetry?.(error);
        await pause(error.retryAfterMs ?? 0, signal);
      },
      ...(signal === undefined ? {} : { signal }),
    },
  );
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

function isTemporary(error: Error): error is ProviderError {
  if (!(error instanceof ProviderError)) return false;
  const { status, retryAfterMs } = error;
  if (retryAfterMs !== undefined && retryAfterMs > MAX_DELAY_MS) return false;
  return status === undefined || status === 408 || status === 429 || status >= 500;
}
