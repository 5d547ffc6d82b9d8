/** A time limit that comes whatever the garbage collector does, and other endings that come before it. */

import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { withTimeLimit } from "../../server/common/time-limit.ts";

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(new Error("aborted"))),
  );

it("says how long it took", async () => {
  const limited = withTimeLimit(20, [undefined], untilAborted);
  await expect(limited).rejects.toThrow("it took longer than 0.02 s");
});

it("ends with another signal, also one that has aborted already", async () => {
  const other = new AbortController();
  const limited = withTimeLimit(60_000, [other.signal], untilAborted);
  other.abort(new Error("enough"));
  await expect(limited).rejects.toThrow("aborted");
  const late = withTimeLimit(60_000, [other.signal], async (signal) => signal.throwIfAborted());
  await expect(late).rejects.toThrow("enough");
});

it("gives back what was done in time", async () => {
  expect(await withTimeLimit(60_000, [], async () => 1)).toBe(1);
});

it("begins when it is told to", async () => {
  let begin = () => {};
  const begins = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const neverBegun = withTimeLimit(1, [], () => delay(30, "done"), begins);
  expect(await neverBegun).toBe("done");
  begin();
  await expect(withTimeLimit(1, [], untilAborted, begins)).rejects.toThrow("it took longer");
});
