/** Whose turn it is: searches and typing before indexing, and indexing before a search that never ends. */

import { expect, it } from "vitest";
import { IndexingThrottle } from "../../../server/engine/threads/indexing-throttle.ts";

const { signal } = new AbortController();

it("lets nobody wait while nothing else happens", async () => {
  const throttle = new IndexingThrottle();
  const order: string[] = [];
  const waiting = throttle.yieldToForeground(signal).then(() => order.push("indexed"));
  await Promise.resolve().then(() => order.push("a moment later"));
  await waiting;
  expect(order).toEqual(["indexed", "a moment later"]);
});

it("begins no file before the last search has ended", async () => {
  const throttle = new IndexingThrottle();
  const order: string[] = [];
  const searches = [1, 2].map((n) =>
    throttle.whileSearching(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20 * n));
      order.push(`search ${n}`);
    }),
  );
  await throttle.yieldToForeground(signal);
  order.push("indexed");
  await Promise.all(searches);
  expect(order).toEqual(["search 1", "search 2", "indexed"]);
});

it("continues after a search that failed, and beside one that does not end", async () => {
  const throttle = new IndexingThrottle();
  await expect(throttle.whileSearching(() => Promise.reject(new Error("x")))).rejects.toThrow("x");
  let end: () => void = () => undefined;
  const endless = throttle.whileSearching(() => new Promise<void>((resolve) => (end = resolve)));
  await throttle.yieldToForeground(signal);
  end();
  await endless;
});

it("begins no file while somebody types", async () => {
  const throttle = new IndexingThrottle();
  throttle.noteTyping();
  const start = performance.now();
  await throttle.yieldToForeground(signal);
  expect(performance.now() - start).toBeGreaterThan(100);
});

it("begins no slice of its work beside a search, for a moment", async () => {
  const throttle = new IndexingThrottle();
  const order: string[] = [];
  await throttle.yieldToSearches();
  const search = throttle.whileSearching(async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    order.push("answered");
  });
  await throttle.yieldToSearches();
  order.push("indexed");
  await search;
  expect(order).toEqual(["answered", "indexed"]);
  let end: () => void = () => undefined;
  const endless = throttle.whileSearching(() => new Promise<void>((resolve) => (end = resolve)));
  const start = performance.now();
  await throttle.yieldToSearches();
  expect(performance.now() - start).toBeLessThan(400);
  end();
  await endless;
});

it("rests between slices for a while after a search, but for nobody who waits", async () => {
  const throttle = new IndexingThrottle();
  const took = async (run: () => Promise<void>) => {
    const start = performance.now();
    await run();
    return performance.now() - start;
  };
  expect([throttle.isForegroundBusy, throttle.isAsking]).toEqual([false, false]);
  expect(await took(() => throttle.rest(() => false))).toBeLessThan(15);
  await throttle.whileSearching(async () => {});
  expect([throttle.isForegroundBusy, throttle.isAsking]).toEqual([true, true]);
  expect(await took(() => throttle.rest(() => false))).toBeGreaterThan(15);
  expect(await took(() => throttle.rest(() => true))).toBeLessThan(15);
  expect(await took(() => throttle.whenQuiet(() => true))).toBeLessThan(15);
  expect(await took(() => throttle.whenQuiet(() => false))).toBeGreaterThan(500);
  expect([throttle.isForegroundBusy, throttle.isAsking]).toEqual([false, false]);
});

it("is asked until half a second after a search, and while somebody types", async () => {
  const throttle = new IndexingThrottle();
  await throttle.whileSearching(async () => expect(throttle.isAsking).toBe(true));
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect([throttle.isForegroundBusy, throttle.isAsking]).toEqual([true, false]);
  throttle.noteTyping();
  expect(throttle.isAsking).toBe(true);
});
