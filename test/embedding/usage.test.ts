/** The counted tokens of a remote provider, and their rate. */

import { expect, it } from "vitest";
import { createUsageMeter } from "../../server/embedding/usage.ts";

const answer = (tokens: number | undefined) => ({ vectors: [], tokens });

it("counts the service's tokens, and estimates where it does not say", async () => {
  const meter = createUsageMeter(() => 0);
  await meter.count(["a", "b"], async () => answer(7));
  await meter.count(["x".repeat(300)], async () => answer(undefined));
  expect(meter.usage()).toEqual({ tokens: 107, chunks: 3, tokensPerSecond: 0 });
});

it("measures the rate over the time of the requests, also if they overlap", async () => {
  // Not from zero: a time is not a duration.
  let now = 1_000_000;
  const meter = createUsageMeter(() => now);
  const request = (ms: number) =>
    meter.count(["a"], async () => {
      now += ms;
      return answer(500);
    });
  await Promise.all([request(1000), request(1000)]);
  now += 60_000;
  await request(1000);
  expect(meter.usage().tokensPerSecond).toBe(500);
});

it("does not count a failed request", async () => {
  const meter = createUsageMeter(() => 0);
  const failed = meter.count(["a"], async () => {
    throw new Error("refused");
  });
  await expect(failed).rejects.toThrow("refused");
  expect(meter.usage()).toMatchObject({ tokens: 0, chunks: 0 });
});
