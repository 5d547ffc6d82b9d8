/** Repeats a request whose failure may be temporary. */

import { setTimeout as delay } from "node:timers/promises";
import pRetry from "p-retry";
import { ProviderError } from "./http.ts";

/** The time limit of one request, and how often it is repeated. */
export interface RetryPolicy {
  readonly retries: number;
  readonly firstDelayMs: number;
  /** For one request. */
  readonly requestMs: number;
}

/** A request is not repeated when the provider asks for a longer delay (Retry-After) than this. */
const MAX_DELAY_MS = 10_000;

/**
 * Rejects with the last failure, or with the signal's reason at once. `ask` gets the time limit of one request;
 * `onRetry` is told of each failure that is followed by another attempt.
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
