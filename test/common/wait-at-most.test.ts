/** Waiting for work up to a time limit. */

import { expect, it } from "vitest";
import { waitAtMost } from "../../server/common/wait-at-most.ts";

const endless = new Promise<void>(() => {});

it("`waitAtMost` resolves after the limit, although the work continues", async () => {
  await expect(waitAtMost(1, endless, undefined)).resolves.toBeUndefined();
});

it("`waitAtMost` rejects with the reason of the aborted signal", async () => {
  const ending = new AbortController();
  const waiting = waitAtMost(60_000, endless, ending.signal);
  ending.abort(new Error("the request was cancelled"));
  await expect(waiting).rejects.toThrow("the request was cancelled");
});

it("`waitAtMost` rejects as the work does", async () => {
  const work = Promise.reject(new Error("a bug"));
  await expect(waitAtMost(60_000, work, undefined)).rejects.toThrow("a bug");
});
