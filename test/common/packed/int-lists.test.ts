/** Lists of integers in one array keep their values while other lists change. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { IntLists } from "../../../server/common/packed/int-lists.ts";

function valuesOf(lists: IntLists): number[][] {
  return Array.from({ length: lists.size }, (_, list) => [...lists.of(list)]);
}

it("trim frees space without changing a list, and lists can grow afterwards", () => {
  const lists = new IntLists();
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
  const step = fc.record({ list: fc.nat(299), what: fc.nat(99), at: fc.nat() });
  // Enough of them for several compactions.
  const steps = fc.array(step, { minLength: 40_000, maxLength: 40_000 });
  const check = (changes: readonly { list: number; what: number; at: number }[]) => {
    const lists = new IntLists();
    const expected = new Map<number, number[]>();
    for (const [i, { list, what, at }] of changes.entries()) {
      const known = expected.get(list) ?? [];
      if (what === 0) {
        lists.clear(list);
        expected.set(list, []);
      } else if (what < 10 && known.length > 0) {
        const [value = 0] = known.splice(at % known.length, 1);
        lists.remove(list, value);
      } else {
        lists.push(list, i);
        expected.set(list, [...known, i]);
      }
    }
    for (const [list, values] of expected)
      expect([...lists.of(list)].toSorted((a, b) => a - b)).toEqual(
        values.toSorted((a, b) => a - b),
      );
  };
  fc.assert(fc.property(steps, check), { seed: 11, numRuns: 1, unbiased: true });
});

it("makeRoom keeps values that are added between two steps", () => {
  const lists = new IntLists();
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
  expect(lists.of(0).at(-1)).toBe(7);
  expect(lists.of(1)).toHaveLength((filled[1]?.length ?? 0) - 1);
  expect(valuesOf(lists).slice(2)).toEqual(filled.slice(2));
});
