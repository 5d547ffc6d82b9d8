/** The time limit fires in spite of garbage collection, and other signals end the work earlier. */

import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { withTimeLimit } from "../../server/common/time-limit.ts";

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(new Error("aborted"))),
  );

it("withTimeLimit rejects with the time that has passed", async () => {
  const limited = withTimeLimit(20, [undefined], untilAborted);
  await expect(limited).rejects.toThrow("it took longer than 0.02 s");
});

it("withTimeLimit ends with another signal, even one that is already aborted", async () => {
  const other = new AbortController();
  const limited = withTimeLimit(60_000, [other.signal], untilAborted);
  other.abort(new Error("enough"));
  await expect(limited).rejects.toThrow("aborted");
  const late = withTimeLimit(60_000, [other.signal], async (signal) => signal.throwIfAborted());
  await expect(late).rejects.toThrow("enough");
});

it("withTimeLimit resolves to the result of work that ends in time", async () => {
  expect(await withTimeLimit(60_000, [], async () => 1)).toBe(1);
});

it("withTimeLimit starts when `begins` resolves", async () => {
  let begin = () => {};
  const begins = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const neverBegun = withTimeLimit(1, [], () => delay(30, "done"), begins);
  expect(await neverBegun).toBe("done");
  begin();
  await expect(withTimeLimit(1, [], untilAborted, begins)).rejects.toThrow("it took longer");
});
