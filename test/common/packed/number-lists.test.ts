/** Lists of numbers in one array keep their values while other lists change. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { NumberLists } from "../../../server/common/packed/number-lists.ts";

function valuesOf(lists: NumberLists): number[][] {
  return Array.from({ length: lists.size }, (_, list) => [...lists.get(list)]);
}

it("trim frees space without changing a list, and lists can grow afterwards", () => {
  const lists = new NumberLists(Uint32Array);
  for (let value = 0; value < 60_000; value++) lists.push((value * value) % 2_003, value);
  for (let list = 0; list < 2_003; list += 3) lists.clear(list);
  const before = valuesOf(lists);
  const live = before.flat().length;
  expect(lists.values.length).toBeGreaterThan(1.5 * live);
  for (const _ of lists.trim());
  expect(valuesOf(lists)).toEqual(before);
  expect(lists.values.length).toBe(live);
  // Full lists have no unused space.
  const { values } = lists;
  for (const _ of lists.trim());
  expect(lists.values).toBe(values);
  for (let list = 0; list < before.length; list++) lists.push(list, list);
  expect(valuesOf(lists)).toEqual(before.map((own, list) => [...own, list]));
});

it("A list keeps its values while others grow, shrink and are compacted", () => {
  const step = fc.record({ list: fc.nat(299), what: fc.nat(99), at: fc.nat(1e9) });
  // Enough of them for several compactions.
  const steps = fc.array(step, { minLength: 40_000, maxLength: 40_000 });
  const check = (changes: readonly { list: number; what: number; at: number }[]) => {
    const lists = new NumberLists(Uint32Array);
    const expected = new Map<number, number[]>();
    for (const [i, { list, what, at }] of changes.entries()) {
      const known = expected.get(list) ?? [];
      if (what === 0) {
        lists.clear(list);
        expected.set(list, []);
      } else if (what === 1) {
        const values = Array.from({ length: at % 40 }, (_, k) => at + k);
        lists.set(list, values);
        expected.set(list, values);
      } else if (what < 10 && known.length > 0) {
        const [value = 0] = known.splice(at % known.length, 1);
        lists.remove(list, value);
      } else {
        lists.push(list, i);
        expected.set(list, [...known, i]);
      }
    }
    for (const [list, values] of expected)
      expect([...lists.get(list)].toSorted((a, b) => a - b)).toEqual(
        values.toSorted((a, b) => a - b),
      );
  };
  fc.assert(fc.property(steps, check), { seed: 11, numRuns: 1, unbiased: true });
});

it("makeRoom keeps values that are added between two steps", () => {
  const lists = new NumberLists(Uint32Array);
  const fill = () => {
    for (let value = 0; value < 400_000; value++) lists.push(value % 701, value);
  };
  fill();
  const before = valuesOf(lists);
  const { values } = lists;
  expect([...lists.makeRoom(2_000_000)].length).toBeGreaterThan(1);
  expect(lists.values.length).toBeGreaterThan(values.length);
  expect(valuesOf(lists)).toEqual(before);
  // The reserved space is enough for all of these.
  const roomy = lists.values;
  fill();
  expect(lists.values === roomy).toBe(true);
  const filled = valuesOf(lists);
  const steps = lists.makeRoom(10_000_000);
  steps.next();
  lists.push(0, 7);
  lists.remove(1, 1);
  for (const _ of steps);
  expect(lists.values === roomy).toBe(true);
  expect(lists.get(0).at(-1)).toBe(7);
  expect(lists.get(1)).toHaveLength((filled[1]?.length ?? 0) - 1);
  expect(valuesOf(lists).slice(2)).toEqual(filled.slice(2));
});

it("Restored lists can grow, and more lists can be added", () => {
  const lists = NumberLists.from(Int32Array.of(2, 0, 1), Uint32Array.of(4, 5, 6));
  lists.push(1, 7);
  lists.set(5, [8, 9]);
  lists.push(0, 10);
  const restored = NumberLists.unpack(lists.packInPlace(), Uint32Array, 11);
  restored.set(2, [1, 2, 3]);
  restored.set(0, [11]);
  expect(valuesOf(restored)).toEqual([[11], [7], [1, 2, 3], [], [], [8, 9]]);
});

it("Lists are packed in their order, also if they fill the array in another order", () => {
  const lists = new NumberLists(Uint32Array);
  const values = Uint32Array.from({ length: lists.values.length / 2 }, (_, i) => i);
  lists.set(1, values);
  lists.set(0, values.toReversed());
  const restored = NumberLists.unpack(lists.packInPlace(), Uint32Array);
  expect(valuesOf(restored)).toEqual([[...values].toReversed(), [...values]]);
});
