/** Hashes of text: their values stay what is stored, and different names keep different numbers. */

import { expect, it } from "vitest";
import { fnv1a, hash53, mix } from "../../server/common/hash.ts";

it("gives the published values of FNV-1a", () => {
  const unsigned = ["", "a", "foobar"].map((text) => fnv1a(text) >>> 0);
  expect(unsigned).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
});

it("gives the published value of murmur3's finish", () => {
  expect(mix(1) >>> 0).toBe(0x514e28b7);
});

it("tells half a million names apart", () => {
  const seen = new Set<number>();
  for (let i = 0; i < 250_000; i++) seen.add(hash53(`handler${i}`)).add(hash53(`${i}.get_value`));
  expect(seen.size).toBe(500_000);
  expect(Math.max(...[...seen].slice(0, 1_000))).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
});
