/** The WebAssembly scan, compared with multiplying the numbers one by one. */

import { expect, it } from "vitest";
import { ByteRows } from "../../server/common/byte-rows.ts";
import { forAllRandom, type Random } from "../support/random.ts";

const byteOf = (random: Random) => random.int(255) - 127;
/** From -1 to 1. */
const numbersOf = (random: Random, count: number) =>
  Float32Array.from({ length: count }, () => random.int(2_000_001) / 1_000_000 - 1);

/** More rows than one scan takes, and an odd number. */
const MANY = 4_097;

it.each([
  [1, 16],
  [2, 16],
  [3, 17],
  [4, 384],
  [5, 1],
  [MANY, 40],
])("multiply scores %i rows of %i numbers", (count, dimension) =>
  forAllRandom({ seed: count, numRuns: 1 }, (random) => {
    const rows = new ByteRows(dimension);
    rows.reserve(count);
    for (let row = 0; row < count; row++) {
      rows.scales[row] = 1;
      for (let i = 0; i < dimension; i++) rows.bytes[row * rows.rowBytes + i] = byteOf(random);
    }
    const query = numbersOf(random, dimension);
    const scores = new Float32Array(count);
    const rest = rows.multiply(query, scores, { factor: 1, absent: -1 });
    const later = new Float32Array(count >> 1);
    expect(rows.multiply(query, later, { factor: 1, absent: -1 }, count - later.length)).toBe(rest);
    expect(later).toEqual(scores.subarray(count - later.length));
    for (const row of [0, 1, count >> 1, count - 2, count - 1].filter(
      (each) => each >= 0 && each < count,
    )) {
      let product = 0;
      let length = 0;
      for (let i = 0; i < dimension; i++) {
        const number = rows.bytes[row * rows.rowBytes + i] ?? 0;
        product += (query[i] ?? 0) * number;
        length += number * number;
      }
      const mayBeWrong = rest * Math.sqrt(length) + Math.abs(product) * 1e-5 + 1e-4;
      expect(Math.abs((scores[row] ?? NaN) - product)).toBeLessThanOrEqual(mayBeWrong);
    }
  }),
);

it.each([1, 7, 16, 384, 1_021])(
  "exactly returns the product of %i numbers to the last bit",
  (dimension) =>
    forAllRandom({ seed: dimension, numRuns: 1 }, (random) => {
      const rows = new ByteRows(dimension);
      rows.reserve(2);
      const lower = new Int8Array(2 * rows.rowBytes);
      for (let i = 0; i < dimension; i++) {
        rows.bytes[rows.rowBytes + i] = byteOf(random);
        lower[rows.rowBytes + i] = byteOf(random);
      }
      const query = numbersOf(random, dimension);
      const sums = [0, 0, 0, 0] as [number, number, number, number];
      query.forEach((number, i) => {
        sums[i % 2 === 0 ? 0 : 1] += number * (rows.bytes[rows.rowBytes + i] ?? 0);
        sums[i % 2 === 0 ? 2 : 3] += number * (lower[rows.rowBytes + i] ?? 0);
      });
      const expected = (sums[0] + sums[1]) * 256 + (sums[2] + sums[3]);
      expect(rows.exactly(query)(1, lower)).toBe(expected);
    }),
);

it("A new ByteRows has no capacity and scores no row", () => {
  const rows = new ByteRows(4);
  const query = Float32Array.of(1, 2, 3, 4);
  expect(rows.exactly(query)(0, new Int8Array(rows.rowBytes))).toBe(0);
  expect(rows.multiply(query, new Float32Array(1), { factor: 1, absent: -1 })).toBe(0);
});

it("A row with the scale zero gets the absent score", () => {
  const rows = new ByteRows(2);
  rows.reserve(2);
  rows.bytes.fill(1, 0, 2 * rows.rowBytes);
  rows.scales[1] = 0.5;
  const scores = new Float32Array(2);
  rows.multiply(Float32Array.of(1, 1), scores, { factor: 3, absent: -7 });
  expect(scores[0]).toBe(-7);
  expect(scores[1]).toBeCloseTo(3, 2);
});
