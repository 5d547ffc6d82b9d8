/** Remembers that a service is down, so that the next request need not find out by waiting. */

import type { Unavailable } from "../common/errors.ts";
import type { ProviderError } from "./http.ts";

/** The longest that a service can ask to be left alone (Retry-After): after that it is tried again anyway. */
const MAX_OPEN_MS = 10 * 60_000;

export interface CircuitBreaker {
  /** Throws the last failure while the breaker is open. */
  check(): void;
  /** Opens the breaker for `minOpenMs`, or for as long as the service asked; returns the failure as users see it. */
  open(failure: ProviderError, reason: Unavailable): Unavailable;
  /** The service has answered. */
  close(): void;
  /** Whether requests are refused now. */
  readonly isOpen: boolean;
}

/** `now` in milliseconds, for tests. */
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
