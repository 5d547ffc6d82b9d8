/** `NameIndex` and `TrackedResults` under random changes of files, compared with plain tables. */

import { expect, it } from "vitest";
import { hash53 } from "../../../server/common/hash.ts";
import type { FileFacts } from "../../../server/contracts/facts.ts";
import { type Collect, NameIndex } from "../../../server/graph/project/name-index.ts";
import { TrackedResults } from "../../../server/graph/project/tracked-results.ts";
import { forAllRandom, type Random } from "../../support/random.ts";

interface Name {
  readonly name: string;
  readonly index: number;
  readonly mark: string;
}

/** The files of a table, in descending order. */
function indexOf(table: ReadonlyMap<number, readonly Name[]>, kind = "test") {
  const asked: string[] = [];
  const collect: Collect = (path) => {
    asked.push(path);
    const names = table.get(Number(path)) ?? [];
    return names.map(({ name, index, mark }) => ({
      hash: hash53(name),
      index,
      mark: mark === "" ? 0 : hash53(mark),
    }));
  };
  const changed = new Set<number>();
  const index = new NameIndex(kind, {
    collect,
    changed: (key) => changed.add(key),
    files: {
      facts: (file) =>
        table.has(file) ? { path: String(file), facts: {} as FileFacts } : undefined,
      compare: (a, b) => b - a,
    },
  });
  return { index, asked, changed };
}

function namesBy(chance: Random, count: number, different: number): Name[] {
  return Array.from({ length: chance.int(count + 1) }, (_, index) => ({
    name: `name${chance.int(different)}`,
    index: index * 3,
    mark: chance.pick(["", "a", "b"]),
  }));
}

/** The marks of each name, as one text. */
function marksOf(names: readonly Name[]): Map<string, string> {
  const marks = new Map<string, string>();
  for (const { name, mark } of names) marks.set(name, `${marks.get(name) ?? ""} ${mark}`);
  return marks;
}

it.each([
  [1, 30, 12, 8],
  // More names than the initial buckets hold.
  [2, 60, 400, 20_000],
  // Most names of a file stay, and some share a bucket.
  [3, 10, 300, 400],
])("`get` returns entries in the order of the files, seed %i", (seed, files, count, different) =>
  forAllRandom({ seed, numRuns: 1 }, (chance) => {
    const table = new Map<number, readonly Name[]>();
    const { index, changed } = indexOf(table);
    // Changes before the first look-up are not reported.
    index.replace(0);
    index.request();
    for (const _ of index.settle());
    expect(index.get(hash53("none"))).toEqual([]);
    expect(changed.size).toBe(0);
    for (let step = 0; step < 65; step++) {
      const file = step < files ? step : chance.int(files);
      const before = table.get(file) ?? [];
      if (chance.chance(0.15)) table.delete(file);
      else if (chance.chance(0.9)) table.set(file, namesBy(chance, count, different));
      index.replace(file);
      if (chance.chance(0.1)) index.trim();
      const [old, fresh] = [marksOf(before), marksOf(table.get(file) ?? [])];
      const own = [...new Set([...old.keys(), ...fresh.keys()])];
      const keys = own
        .filter((name) => old.get(name) !== fresh.get(name))
        .map((name) => index.keyOf(hash53(name)));
      for (const _ of index.settle());
      expect([...changed].toSorted((a, b) => a - b)).toEqual(keys.toSorted((a, b) => a - b));
      changed.clear();
      const asked = [...own.slice(0, 2), ...own.slice(-12), `name${chance.int(different)}`, "none"];
      for (const name of asked) {
        const found = index.get(hash53(name)).map(({ file: where, index: at }) => [where, at]);
        const wanted = [...table]
          .toSorted(([a], [b]) => b - a)
          .flatMap(([where, names]) =>
            names.flatMap((one) => (one.name === name ? [[where, one.index]] : [])),
          );
        expect(found).toEqual(wanted);
      }
    }
    expect([...index.settle()]).toEqual([]);
  }),
);

it("Equal owners have equal marks, and others differ", () => {
  const names = ["", "a", "a", "b"].map((mark, index) => ({ name: "open", index, mark }));
  const { index } = indexOf(new Map([[0, names]]));
  index.replace(0);
  const [none, first, second, other] = index.get(hash53("open")).map(({ mark }) => mark);
  expect(none).toBe(0);
  expect(first).toBe(second);
  expect(new Set([none, first, other]).size).toBe(3);
});

it("Files are indexed after the first look-up, and then one by one", () => {
  const table = new Map([0, 1, 2].map((file) => [file, [{ name: "a", index: 0, mark: "" }]]));
  const { index, asked } = indexOf(table);
  for (const file of table.keys()) index.replace(file);
  expect([...index.settle()]).toEqual([]);
  expect(asked).toEqual([]);
  index.request();
  const steps = index.settle();
  steps.next();
  expect(asked).toEqual(["0"]);
  expect([...steps]).toHaveLength(2);
  expect([...index.settle()]).toEqual([]);
  const hash = hash53("a");
  expect(index.keyOf(hash)).not.toBe(indexOf(table, "other").index.keyOf(hash));
  expect(index.keyOf(hash)).toBeLessThan(0);
});

it.each([
  [1, 20, 12, 300],
  [2, 20, 12, 300],
  // More keys than a few changes scan.
  [3, 120, 200, 50_000],
  [4, 120, 200, 50_000],
])(
  "`invalidateReaders` finds the readers of changed keys, seed %i",
  (seed, files, most, different) =>
    forAllRandom({ seed, numRuns: 1 }, (chance) => {
      const results = new TrackedResults();
      const read = new Map<number, ReadonlySet<number>>();
      const missing = new Set<number>();
      const keyBy = () => chance.int(different) - different / 2;
      for (let step = 0; step < files * 3; step++) {
        const file = chance.int(files);
        const keys = new Set(Array.from({ length: chance.int(most) }, keyBy));
        if (chance.chance(0.7)) {
          results.set(file, { number: 1, file, keys: [...keys], names: new Set() });
          read.set(file, keys);
          missing.delete(file);
        } else if (chance.chance(0.5)) {
          results.delete(file);
          read.delete(file);
          missing.delete(file);
        } else {
          results.invalidate(file);
          missing.add(file);
        }
        if (chance.chance(0.2)) results.trim();
        // Few enough for look-ups, and too many.
        const changed = new Set(Array.from({ length: chance.pick([0, 1, 3, 16, 40]) }, keyBy));
        for (const _ of results.invalidateReaders(changed));
        for (const [each, own] of read)
          if ([...own].some((key) => changed.has(key))) missing.add(each);
        for (let each = 0; each < files; each++)
          expect(results.isStale(each)).toBe(missing.has(each));
        expect(missing.size > 0).toBe(missing.has(results.firstStale ?? -1));
      }
    }),
);
