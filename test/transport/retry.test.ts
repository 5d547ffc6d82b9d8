/**
 * Which failures are retried, after which delay, and which are reported: a table of cases, and random sequences of
 * them.
 */

import { performance } from "node:perf_hooks";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProviderError } from "../../server/transport/http.ts";
import { withRetries } from "../../server/transport/retry.ts";

const POLICY = { retries: 2, firstDelayMs: 1, requestMs: 20 };

/** The outcome of an attempt. `isRepeated` is true for a temporary failure. */
interface Attempt {
  readonly says: string;
  readonly isRepeated: boolean;
  readonly isTold: boolean;
  run(limit: AbortSignal): Promise<string>;
}

function failing(says: string, isRepeated: boolean, error: () => Error): Attempt {
  return { says, isRepeated, isTold: isRepeated, run: () => Promise.reject(error()) };
}

function provider(status: number | undefined, isRepeated: boolean, retryAfterMs?: number): Attempt {
  const says = `status ${status}, ${retryAfterMs}`;
  const known = {
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  return failing(says, isRepeated, () => new ProviderError(says, known));
}

const ATTEMPTS: readonly Attempt[] = [
  { says: "answer", isRepeated: false, isTold: false, run: () => Promise.resolve("answer") },
  provider(undefined, true),
  provider(408, true),
  provider(429, true, 2),
  provider(500, true),
  provider(503, true, 2),
  provider(400, false),
  provider(404, false, 1),
  provider(407, false),
  provider(499, false),
  // The requested delay is longer than the maximum.
  provider(429, false, 10_001),
  provider(undefined, false, 60_000),
  failing("bug", false, () => new Error("bug")),
  {
    says: "no answer within 20 ms",
    isRepeated: true,
    isTold: true,
    run: (limit) =>
      new Promise((_, reject) => {
        limit.addEventListener("abort", () => reject(new Error("cut")));
      }),
  },
];

function expected(attempts: readonly Attempt[]) {
  const last = attempts.findIndex(({ isRepeated }, at) => !isRepeated || at === POLICY.retries);
  const told = attempts.slice(0, last).map(({ says }) => says);
  return { tried: last + 1, told, ended: attempts[last]?.says };
}

async function asked(attempts: readonly Attempt[]) {
  let tried = 0;
  const told: string[] = [];
  const ended = await withRetries(
    POLICY,
    undefined,
    (limit) => (attempts[tried++] as Attempt).run(limit),
    ({ message }) => told.push(message),
  ).catch((error: Error) => error.message);
  return { tried, told, ended };
}

it.each(ATTEMPTS.map((one) => [one.says, one] as const))(
  "withRetries handles one attempt: %s",
  async (_, one) => {
    const attempts = [one, ATTEMPTS[0] as Attempt];
    expect(await asked(attempts)).toEqual(expected(attempts));
  },
);

it("withRetries handles random sequences of attempts", async () => {
  const length = POLICY.retries + 1;
  const attempts = fc.array(fc.constantFrom(...ATTEMPTS), { minLength: length, maxLength: length });
  // In parallel, as attempts wait.
  const isSame = async (cases: readonly (readonly Attempt[])[]) => {
    expect(await Promise.all(cases.map(asked))).toEqual(cases.map(expected));
  };
  await fc.assert(fc.asyncProperty(fc.array(attempts, { minLength: 60, maxLength: 60 }), isSame), {
    seed: 1,
    numRuns: 1,
  });
});

describe("withRetries", () => {
  const limited = (retryAfterMs: number) => provider(429, retryAfterMs <= 10_000, retryAfterMs);

  it("waits for Retry-After, but not after the last failure", async () => {
    const start = performance.now();
    await asked([limited(40), ATTEMPTS[0] as Attempt]);
    expect(performance.now() - start).toBeGreaterThanOrEqual(39);
    const again = performance.now();
    expect((await asked([limited(1), limited(1), limited(10_000)])).tried).toBe(3);
    expect(performance.now() - again).toBeLessThan(5_000);
  });

  it("stops waiting when the signal aborts", async () => {
    const cancelled = new AbortController();
    const answer = withRetries(POLICY, cancelled.signal, () => {
      setTimeout(() => cancelled.abort(new Error("enough")), 5);
      return Promise.reject(new ProviderError("busy", { status: 429, retryAfterMs: 9_000 }));
    });
    await expect(answer).rejects.toThrow("enough");
  });

  it("rejects with the signal's reason during a request", async () => {
    const cancelled = new AbortController();
    const answer = withRetries(POLICY, cancelled.signal, (limit) => {
      cancelled.abort(new Error("enough"));
      return Promise.reject(new Error(`cut, ${limit.aborted}`));
    });
    await expect(answer).rejects.toThrow("enough");
  });
});
