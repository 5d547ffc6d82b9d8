/** The cache: the same question only, for a day. */

import { expect, it } from "vitest";
import { type CacheKey, QueryCache } from "../../server/search/cache.ts";

const KEY: CacheKey = {
  text: "open the pool",
  parameters: [10],
  generations: [["a", 1]],
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
  for (const other of [{ text: "x" }, { parameters: [5] }, { generations: [["a", 2]] }]) {
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
