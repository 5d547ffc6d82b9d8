/** How long the circuit breaker stays open, and when it closes. */

import { expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { createCircuitBreaker } from "../../server/transport/circuit-breaker.ts";
import { ProviderError } from "../../server/transport/http.ts";

const reason = new Unavailable("it is down", "start it");

function openedBy(retryAfterMs: number | undefined) {
  // A start other than zero, because a time is not a duration.
  const clock = { now: 1_000_000 };
  const breaker = createCircuitBreaker(1000, () => clock.now);
  breaker.open(new ProviderError("down", { retryAfterMs }), reason);
  return { breaker, clock };
}

it.each([
  [undefined, 1000],
  [10, 1000],
  [5000, 5000],
  // A service that requests years is tried again after ten minutes.
  [999_999_999_000, 600_000],
])("After Retry-After %s ms the breaker stays open for %s ms", (retryAfterMs, ms) => {
  const { breaker, clock } = openedBy(retryAfterMs);
  clock.now += ms - 1;
  expect(breaker.isOpen).toBe(true);
  expect(() => breaker.check()).toThrow(reason);
  clock.now += 1;
  expect(breaker.isOpen).toBe(false);
  breaker.check();
});

it("The breaker closes when the service answers", () => {
  const { breaker } = openedBy(undefined);
  breaker.close();
  breaker.check();
  expect(breaker.isOpen).toBe(false);
});
