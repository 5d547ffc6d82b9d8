/** Cosines of the vectors of commits, which are scanned in bytes. */

import { expect, it } from "vitest";
import { CommitVectors } from "../../server/history/commit-vectors.ts";
import { toSmall } from "../../server/history/lane-entry.ts";

const DIMENSION = 21;

/** A vector of length 1, different for each seed. */
function vector(seed: number, dimension = DIMENSION): Float32Array {
  const numbers = Float32Array.from({ length: dimension }, (_, i) => Math.sin(seed * 7 + i * i));
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  return numbers.map((number) => number / length);
}

const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, number, i) => sum + number * (b[i] ?? 0), 0);

it("returns the cosine of every commit, over many scans and while growing", () => {
  const vectors = new CommitVectors();
  const count = 9_000;
  for (let commit = 0; commit < count; commit++) {
    if (commit % 3 !== 0) vectors.set(commit, toSmall(vector(commit)));
  }
  const query = vector(12_345);
  const cosines = vectors.cosines(query, count);
  for (let commit = 0; commit < count; commit++) {
    const wanted = commit % 3 === 0 ? 0 : dot(query, vector(commit));
    expect(Math.abs((cosines[commit] ?? 9) - wanted)).toBeLessThan(0.02);
  }
});

it("returns zero for commits without a vector and for queries of another model", () => {
  const vectors = new CommitVectors();
  expect([...vectors.cosines(vector(1), 2)]).toEqual([0, 0]);
  vectors.set(0, toSmall(vector(1)));
  expect([...vectors.cosines(vector(1, 8), 1)]).toEqual([0]);
  expect(vectors.cosines(vector(1), 5_000)[4_999]).toBe(0);
});

it("drops its vectors when a vector of another dimension is set", () => {
  const vectors = new CommitVectors();
  vectors.set(0, toSmall(vector(1)));
  vectors.set(1, toSmall(vector(2, 8)));
  const [first = 9, second = 0] = vectors.cosines(vector(2, 8), 2);
  expect(first).toBe(0);
  expect(second).toBeGreaterThan(0.98);
});
