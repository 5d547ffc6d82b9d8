/** The nearest vectors: the same as by comparing all of them in full. */

import { expect, it } from "vitest";
import { roundToHalves } from "../../../server/common/half-precision.ts";
import { TopK } from "../../../server/common/ranking/top-k.ts";
import { runToEnd } from "../../../server/common/slices.ts";
import { VectorIndex } from "../../../server/search/lanes/vector-index.ts";
import { random } from "../../support/random.ts";

const chance = random(11);

/** In halves, which vectors are stored as. */
function unitVector(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers) || 1;
  const vector = Float32Array.from(numbers, (number) => number / length);
  roundToHalves(vector, vector);
  return vector;
}

/** Sums of several even chances: most numbers are small, as in real vectors. */
const number = () => chance.int(2001) + chance.int(2001) + chance.int(2001) - 3000;
const anyVector = (dimension: number) => unitVector(Array.from({ length: dimension }, number));

/** Very near to another one. */
const nearTo = (vector: Float32Array, by: number) =>
  unitVector(Array.from(vector, (each) => each + (by * number()) / 1e6));

/** The query has length 1. */
const cosine = (query: Float32Array, b: Float32Array) =>
  query.reduce((sum, each, i) => sum + each * (b[i] ?? 0), 0) / (Math.hypot(...b) || 1);

/** The index and its expected content. */
function filled(dimension: number, slots: number) {
  const index = new VectorIndex();
  const vectors = new Map<number, Float32Array>();
  const middle = anyVector(dimension);
  for (let slot = 0; slot < slots; slot++) {
    if (chance.chance(0.05)) continue;
    const vector = chance.chance(0.5) ? anyVector(dimension) : nearTo(middle, chance.int(100));
    index.set(slot, vector);
    vectors.set(slot, vector);
  }
  return { index, vectors, middle };
}

/** Numbers are kept in 16 bits: of two scores that are so near, either may come first. */
const TOLERANCE = 4e-5;

function check(
  index: VectorIndex,
  vectors: ReadonlyMap<number, Float32Array>,
  query: Float32Array,
  isAllowed?: (slot: number) => boolean,
) {
  const limit = 20;
  const best = new TopK(limit, (a, b) => a - b);
  runToEnd(index.search(query, isAllowed, best));
  const found = best.best();
  const expected = [...vectors]
    .filter(([slot]) => isAllowed?.(slot) ?? true)
    .map(([, vector]) => cosine(query, vector))
    .toSorted((a, b) => b - a)
    .slice(0, limit);
  expect(found).toHaveLength(expected.length);
  found.forEach(({ item, score }, i) => {
    const vector = vectors.get(item);
    if (vector === undefined) throw new Error(`slot ${item} has no vector`);
    expect(Math.abs(score - cosine(query, vector))).toBeLessThan(TOLERANCE);
    expect(Math.abs(score - (expected[i] ?? 0))).toBeLessThan(TOLERANCE);
  });
}

it.each([1, 5, 16, 37, 384])("finds the nearest among vectors of %i numbers", (dimension) => {
  const { index, vectors, middle } = filled(dimension, 1500);
  for (let i = 0; i < 10; i++) {
    check(index, vectors, anyVector(dimension));
    check(index, vectors, nearTo(middle, 50));
    check(index, vectors, nearTo(middle, 50), (slot) => slot % 3 === 0);
  }
});

it("finds them beyond the rows of one scan, and after it has grown", () => {
  const { index, vectors, middle } = filled(32, 9_000);
  for (let i = 0; i < 10; i++) check(index, vectors, nearTo(middle, 30));
});

it("finds them after vectors were removed, replaced and renumbered", () => {
  const { index, vectors, middle } = filled(24, 1_000);
  for (const slot of vectors.keys()) {
    if (chance.chance(0.4)) {
      index.remove(slot);
      vectors.delete(slot);
    } else if (chance.chance(0.2)) {
      const other = anyVector(24);
      index.set(slot, other);
      vectors.set(slot, other);
    }
  }
  check(index, vectors, nearTo(middle, 30));
  const newSlots = new Int32Array(1_000).fill(-1);
  const kept = [...vectors].toSorted(([a], [b]) => a - b);
  kept.forEach(([slot], target) => {
    newSlots[slot] = target;
  });
  index.compact(newSlots, kept.length);
  const renumbered = new Map(kept.map(([, vector], target) => [target, vector]));
  check(index, renumbered, nearTo(middle, 30));
  const added = nearTo(middle, 10);
  index.set(kept.length, added);
  check(index, renumbered.set(kept.length, added), middle);
});

it("grows in steps, and keeps vectors that are set between two steps", () => {
  const { index, vectors } = filled(384, 1_000);
  const middle = anyVector(384);
  const steps = index.makeRoom(10_000);
  expect(steps.next().done).toBe(false);
  index.set(5, middle);
  vectors.set(5, middle);
  for (const _ of steps);
  check(index, vectors, middle);
  expect([...index.makeRoom(10_000)].length).toBeGreaterThan(1);
  check(index, vectors, middle);
  index.set(9_999, middle);
  check(index, vectors.set(9_999, middle), middle);
});

it("chooses the first of very many equal ones, wherever they are", () => {
  const index = new VectorIndex();
  const vector = anyVector(16);
  for (let slot = 0; slot < 5_000; slot++) index.set(slot, vector);
  const best = new TopK(3, (a, b) => b - a);
  runToEnd(index.search(vector, undefined, best));
  expect(best.best().map(({ item }) => item)).toEqual([4_999, 4_998, 4_997]);
});

it("forgets vectors of another length, and refuses queries of another", () => {
  const { index } = filled(16, 50);
  const query = anyVector(8);
  expect(() => index.search(query, undefined, new TopK(1, (a, b) => a - b)).next()).toThrow(
    "8 dimensions",
  );
  index.set(3, query);
  check(index, new Map([[3, query]]), query);
});
