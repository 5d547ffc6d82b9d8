/** Asks a provider again when its failure may pass, and says what to do when it does not. */

import { setTimeout as delay } from "node:timers/promises";
import pRetry, { AbortError } from "p-retry";
import { messageOf, Unavailable } from "../errors.ts";

/** After the first failure; then the provider counts as down and is asked again by whoever waits for it. */
const RETRIES = 3;
const FIRST_DELAY_MS = 300;
const LONGEST_DELAY_MS = 10_000;

/** A failed answer, with what the HTTP status says about trying again. */
export class ProviderError extends Error {
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, status?: number, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Rejects with Unavailable, or with the signal's reason at once. `remedyFor` says what to do about a status. */
export async function withRetries<T>(
  provider: string,
  signal: AbortSignal | undefined,
  remedyFor: (status: number | undefined) => string,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await pRetry(
      async () => {
        try {
          return await ask();
        } catch (error) {
          signal?.throwIfAborted();
          const asked = error instanceof ProviderError ? error : undefined;
          if (asked !== undefined && !mayPass(asked.status)) throw new AbortError(asked);
          if (error instanceof Unavailable) throw new AbortError(error);
          if (asked?.retryAfterMs !== undefined) {
            const waitMs = Math.min(asked.retryAfterMs, LONGEST_DELAY_MS);
            await delay(waitMs, undefined, signal && { signal });
          }
          // Network failures come in many classes; all of them may pass.
          throw new Error(messageOf(error), { cause: error });
        }
      },
      {
        retries: RETRIES,
        minTimeout: FIRST_DELAY_MS,
        maxTimeout: LONGEST_DELAY_MS,
        randomize: true,
        ...(signal === undefined ? {} : { signal }),
      },
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Unavailable) throw error;
    const failed = error instanceof ProviderError ? error : (error as Error).cause;
    const status = failed instanceof ProviderError ? failed.status : undefined;
    const reason = causeOf(failed ?? error);
    throw new Unavailable(`${provider} does not embed (${reason})`, remedyFor(status), {
      cause: error,
    });
  }
}

/** `fetch failed` says nothing; its cause does. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof AggregateError) return causeOf(cause.errors[0]);
  return cause instanceof Error && cause.message !== "" ? cause.message : messageOf(error);
}

function mayPass(status: number | undefined): boolean {
  return status === undefined || status === 408 || status === 429 || status >= 500;
}
