/** Hash values do not change, because they are stored, and different names rarely collide. */

import { expect, it } from "vitest";
import { fnv1a, hash53, mix } from "../../server/common/hash.ts";

it("fnv1a returns the published values", () => {
  const unsigned = ["", "a", "foobar"].map((text) => fnv1a(text) >>> 0);
  expect(unsigned).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
});

it("mix returns the published value of the murmur3 finalizer", () => {
  expect(mix(1) >>> 0).toBe(0x514e28b7);
});

it("hash53 has no collision among half a million names", () => {
  const seen = new Set<number>();
  for (let i = 0; i < 250_000; i++) seen.add(hash53(`handler${i}`)).add(hash53(`${i}.get_value`));
  expect(seen.size).toBe(500_000);
  expect(Math.max(...[...seen].slice(0, 1_000))).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
});
