/** A circuit breaker: after a failure, requests to a service fail immediately for some time instead of waiting for a timeout. */

import type { Unavailable } from "../common/errors.ts";
import type { ProviderError } from "./http.ts";

/** The upper limit for Retry-After: after this time the service is tried again anyway. */
const MAX_OPEN_MS = 10 * 60_000;

interface CircuitBreaker {
  /** Throws the last failure while the breaker is open. */
  check(): void;
  /** Opens the breaker for `minOpenMs`, or longer if the service sent Retry-After. Returns `reason`. */
  open(failure: ProviderError, reason: Unavailable): Unavailable;
  /** Closes the breaker after an answer of the service. */
  close(): void;
  /** Whether requests fail now. */
  readonly isOpen: boolean;
}

/** `now` returns milliseconds; tests replace it. */
export function createCircuitBreaker(
  minOpenMs: number,
  now: () => number = () => performance.now(),
): CircuitBreaker {
  let until = 0;
  let reason: Unavailable | undefined;
  const isOpen = () => reason !== undefined && now() < until;
  return {
    check: () => {
      if (reason !== undefined && isOpen()) throw reason;
    },
    open: (failure, why) => {
      until = now() + Math.min(MAX_OPEN_MS, Math.max(minOpenMs, failure.retryAfterMs ?? 0));
      reason = why;
      return why;
    },
    close: () => {
      reason = undefined;
    },
    get isOpen() {
      return isOpen();
    },
  };
}
