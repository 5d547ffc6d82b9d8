/** The cache: exact, by meaning, and never a wrong answer. */

import { expect, it } from "vitest";
import { type CacheKey, QueryCache } from "../../server/search/cache.ts";

const KEY: CacheKey = {
  text: "open the pool",
  parameters: [10],
  generations: [["a", 1]],
  sameWords: "",
};
const DAY_MS = 24 * 60 * 60 * 1000;

const vectors = (...values: number[]) => {
  const length = Math.hypot(...values);
  return new Map([["model", Float32Array.from(values, (value) => value / length)]]);
};
const answer = { hits: 1 };

function filled(now?: () => number): QueryCache<object> {
  const cache = new QueryCache<object>(now);
  cache.put(KEY, vectors(1, 0), answer);
  return cache;
}

it("knows the same question", () => expect(filled().exact({ ...KEY })).toBe(answer));
it("does not take another text, parameter or state of the index for the same", () => {
  for (const other of [{ text: "x" }, { parameters: [5] }, { generations: [["a", 2]] }]) {
    expect(filled().exact({ ...KEY, ...other })).toBeUndefined();
  }
});

it("knows a question that means the same", () =>
  expect(filled().similar({ ...KEY, text: "opening the pool" }, vectors(1, 0.3))).toBe(answer));
it("gives the closest of several", () => {
  const cache = filled();
  const closer = { hits: 2 };
  cache.put({ ...KEY, text: "pool opening" }, vectors(1, 0.25), closer);
  expect(cache.similar({ ...KEY, text: "y" }, vectors(1, 0.3))).toBe(closer);
});
it.each([
  ["whose meaning is further", {}, vectors(1, 0.4)],
  ["with another parameter", { parameters: [5] }, vectors(1, 0)],
  ["of another state of the index", { generations: [["a", 2]] }, vectors(1, 0)],
  ["with other names in it", { sameWords: "getUser" }, vectors(1, 0)],
  ["that only itself may answer", { sameWords: undefined }, vectors(1, 0)],
  ["of another model", {}, new Map([["other", Float32Array.of(1, 0)]])],
  ["without a vector", {}, new Map()],
] as const)("does not know a question %s", (_, other, asked) =>
  expect(filled().similar({ ...KEY, text: "y", ...other }, asked)).toBeUndefined(),
);

it("forgets after a day", () => {
  let time = 1;
  const cache = filled(() => time);
  time += DAY_MS - 1;
  expect(cache.exact(KEY)).toBe(answer);
  time += 2;
  expect(cache.exact(KEY)).toBeUndefined();
  expect(cache.similar({ ...KEY, text: "y" }, vectors(1, 0))).toBeUndefined();
});

it("keeps five hundred, the least recently used goes first", () => {
  const cache = filled();
  cache.put({ ...KEY, text: "second" }, new Map(), answer);
  cache.exact(KEY);
  for (let i = 0; i < 499; i++) cache.put({ ...KEY, text: `${i}` }, new Map(), answer);
  expect(cache.exact(KEY)).toBe(answer);
  expect(cache.exact({ ...KEY, text: "second" })).toBeUndefined();
});
