/** The cache: the same question only, for a day. */

import { expect, it } from "vitest";
import { type CacheKey, QueryCache } from "../../server/search/cache.ts";

const KEY: CacheKey = {
  text: "open the pool",
  parameters: [10],
  indexes: ["a"],
  generations: [1],
};
const DAY_MS = 24 * 60 * 60 * 1000;

const answer = { hits: 1 };

function filled(now?: () => number): QueryCache<object> {
  const cache = new QueryCache<object>(now);
  cache.put(KEY, answer);
  return cache;
}

it("knows the same question", () => expect(filled().exact({ ...KEY })).toBe(answer));
it("does not take another text, parameter or state of the index for the same", () => {
  const others = [{ text: "x" }, { parameters: [5] }, { indexes: ["b"] }, { generations: [2] }];
  for (const other of others) {
    expect(filled().exact({ ...KEY, ...other })).toBeUndefined();
  }
});

it("forgets after a day", () => {
  let time = 1;
  const cache = filled(() => time);
  time += DAY_MS - 1;
  expect(cache.exact(KEY)).toBe(answer);
  time += 2;
  expect(cache.exact(KEY)).toBeUndefined();
});

it("keeps five hundred, the least recently used goes first", () => {
  const cache = filled();
  cache.put({ ...KEY, text: "second" }, answer);
  cache.exact(KEY);
  for (let i = 0; i < 499; i++) cache.put({ ...KEY, text: `${i}` }, answer);
  expect(cache.exact(KEY)).toBe(answer);
  expect(cache.exact({ ...KEY, text: "second" })).toBeUndefined();
});

it("keeps one answer to a question, however often the index changes", () => {
  const cache = filled();
  for (let generation = 2; generation < 50; generation++) {
    cache.put({ ...KEY, generations: [generation] }, { hits: generation });
  }
  expect(cache.size).toBe(1);
  expect(cache.exact({ ...KEY, generations: [49] })).toEqual({ hits: 49 });
  expect(cache.exact(KEY)).toBeUndefined();
});
