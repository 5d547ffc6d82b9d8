/** Priorities of the throttle: searches and typing before indexing, but not forever. */

import { expect, it } from "vitest";
import { IndexingThrottle } from "../../../server/engine/threads/indexing-throttle.ts";

const { signal } = new AbortController();

it("The throttle does not wait without searches", async () => {
  const throttle = new IndexingThrottle();
  const order: string[] = [];
  const waiting = throttle.yieldToForeground(signal).then(() => order.push("indexed"));
  await Promise.resolve().then(() => order.push("a moment later"));
  await waiting;
  expect(order).toEqual(["indexed", "a moment later"]);
});

it("Indexing starts no file before the last search ends", async () => {
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

it("Indexing continues after a failed search, and during an endless one", async () => {
  const throttle = new IndexingThrottle();
  await expect(throttle.whileSearching(() => Promise.reject(new Error("x")))).rejects.toThrow("x");
  let end: () => void = () => undefined;
  const endless = throttle.whileSearching(() => new Promise<void>((resolve) => (end = resolve)));
  await throttle.yieldToForeground(signal);
  end();
  await endless;
});

it("Indexing starts no file during typing", async () => {
  const throttle = new IndexingThrottle();
  throttle.noteTyping();
  const start = performance.now();
  await throttle.yieldToForeground(signal);
  expect(performance.now() - start).toBeGreaterThan(100);
});

it("A slice waits for a search, for a limited time", async () => {
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

it("Background slices pause after a search, unless they are urgent", async () => {
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

it("`isAsking` is true until half a second after a search, and during typing", async () => {
  const throttle = new IndexingThrottle();
  await throttle.whileSearching(async () => expect(throttle.isAsking).toBe(true));
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect([throttle.isForegroundBusy, throttle.isAsking]).toEqual([true, false]);
  throttle.noteTyping();
  expect(throttle.isAsking).toBe(true);
});
