/** Jobs of several owners for few places: each is a letter and its time, and the order is that in which they begin. */

import { expect, it } from "vitest";
import { deferred } from "../../server/common/deferred.ts";
import { FairScheduler } from "../../server/common/fair-scheduler.ts";

/** `late` come once the first of `jobs` has ended. Each job ends when the next one is looked for. */
async function order(width: number, jobs: string, late = ""): Promise<string> {
  const turns = new FairScheduler(width);
  const running: { readonly ms: number; readonly end: () => void }[] = [];
  let begun = "";
  const start = (list: string) =>
    list
      .split(" ")
      .filter((job) => job !== "")
      .map((job) => {
        const owner = job.charAt(0);
        return turns.during(owner, async (place) => {
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
  expect(turns.size).toBe(0);
  return begun;
}

it.each([
  ["keeps the order of one owner's jobs", 1, "a1 a9 a1", "", "aaa"],
  [
    "takes the jobs of two owners in turns where they take as long",
    1,
    "a1 a1 a1 b1 b1 b1",
    "",
    "ababab",
  ],
  [
    "begins all small jobs of one before the next large job of another",
    1,
    "a9 a9 a9 b1 b1 b1",
    "",
    "abbbaa",
  ],
  ["gives to the late what the one has that used least", 1, "a9 a9 a9", "b1 b1 b1", "aabbba"],
  ["fills all places where only one has jobs", 2, "a1 a1 a1", "", "aaa"],
  ["prefers of those that used the same the one with fewer places", 2, "c1 a9 a9 b9", "", "caba"],
])("%s", async (_, width, jobs, late, expected) => {
  expect(await order(width, jobs, late)).toBe(expected);
});

it("gives a place back whose job has failed", async () => {
  const turns = new FairScheduler(1);
  const fails = turns.during("a", () => Promise.reject(new Error("it broke")));
  const next = turns.during("a", async () => "done");
  await expect(fails).rejects.toThrow("it broke");
  expect(await next).toBe("done");
});
