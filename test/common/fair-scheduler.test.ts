/** The scheduler starts jobs of several owners in a fair order. A job is a letter for its owner and its duration. */

import { expect, it } from "vitest";
import { deferred } from "../../server/common/deferred.ts";
import { FairScheduler } from "../../server/common/fair-scheduler.ts";

/** The jobs of `late` arrive when the first of `jobs` has ended. A job ends when the next one is awaited. */
async function order(width: number, jobs: string, late = ""): Promise<string> {
  const scheduler = new FairScheduler(width);
  const running: { readonly ms: number; readonly end: () => void }[] = [];
  let begun = "";
  const start = (list: string) =>
    list
      .split(" ")
      .filter((job) => job !== "")
      .map((job) => {
        const owner = job.charAt(0);
        return scheduler.during(owner, async (place) => {
          begun += owner;
          const { promise, resolve } = deferred();
          const ms = Number(job.slice(1));
          running.push({ ms, end: resolve });
          await promise;
          place.use(ms);
        });
      });
  const all = start(jobs);
  let isFirst = true;
  for (;;) {
    await new Promise(setImmediate);
    const next = running.shift();
    if (next === undefined) break;
    next.end();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    if (isFirst) all.push(...start(late));
    isFirst = false;
  }
  await Promise.all(all);
  expect(scheduler.size).toBe(0);
  return begun;
}

it.each([
  ["keeps the order of one owner's jobs", 1, "a1 a9 a1", "", "aaa"],
  ["alternates between two owners whose jobs take as long", 1, "a1 a1 a1 b1 b1 b1", "", "ababab"],
  [
    "starts all short jobs of one owner before the next long job of another",
    1,
    "a9 a9 a9 b1 b1 b1",
    "",
    "abbbaa",
  ],
  [
    "gives a late owner the least used time of the present owners",
    1,
    "a9 a9 a9",
    "b1 b1 b1",
    "aabbba",
  ],
  ["fills all slots if only one owner has jobs", 2, "a1 a1 a1", "", "aaa"],
  ["prefers the owner with fewer running jobs among equals", 2, "c1 a9 a9 b9", "", "caba"],
])("FairScheduler %s", async (_, width, jobs, late, expected) => {
  expect(await order(width, jobs, late)).toBe(expected);
});

it("FairScheduler frees the slot of a failed job", async () => {
  const scheduler = new FairScheduler(1);
  const fails = scheduler.during("a", () => Promise.reject(new Error("it broke")));
  const next = scheduler.during("a", async () => "done");
  await expect(fails).rejects.toThrow("it broke");
  expect(await next).toBe("done");
});
