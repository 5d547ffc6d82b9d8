/** Names of definitions, and what was read for results, while files change by chance: against plain tables. */

import { expect, it } from "vitest";
import type { FileFacts } from "../../server/contracts/facts.ts";
import { type Collect, NameIndex } from "../../server/graph/name-index.ts";
import { Results } from "../../server/graph/results.ts";
import { type Random, random } from "../support/random.ts";

interface Name {
  readonly name: string;
  readonly index: number;
  readonly mark: string;
}

/** The files of a table, ordered from the last to the first. */
function indexOf(table: ReadonlyMap<number, readonly Name[]>, kind = "test") {
  const asked: string[] = [];
  const collect: Collect = (path) => {
    asked.push(path);
    return table.get(Number(path)) ?? [];
  };
  const index = new NameIndex(kind, {
    collect,
    files: {
      facts: (file) =>
        table.has(file) ? { path: String(file), facts: {} as FileFacts } : undefined,
      compare: (a, b) => b - a,
    },
    scratch: undefined,
  });
  return { index, asked };
}

function namesBy(chance: Random, count: number, different: number): Name[] {
  return Array.from({ length: chance.int(count + 1) }, (_, index) => ({
    name: `name${chance.int(different)}`,
    index: index * 3,
    mark: chance.pick(["", "a", "b"]),
  }));
}

/** Of each name its marks, as one text. */
function marksOf(names: readonly Name[]): Map<string, string> {
  const marks = new Map<string, string>();
  for (const { name, mark } of names) marks.set(name, `${marks.get(name) ?? ""} ${mark}`);
  return marks;
}

it.each([
  [1, 30, 12, 8],
  // More names than the first buckets are for.
  [2, 60, 400, 20_000],
])("finds names in the order of the files, seed %i", (seed, files, count, different) => {
  const chance = random(seed);
  const table = new Map<number, readonly Name[]>();
  const { index } = indexOf(table);
  index.want();
  for (let step = 0; step < 65; step++) {
    const file = step < files ? step : chance.int(files);
    const before = table.get(file) ?? [];
    if (chance.chance(0.15)) table.delete(file);
    else if (chance.chance(0.9)) table.set(file, namesBy(chance, count, different));
    index.replace(file);
    if (chance.chance(0.1)) index.trim();
    const [old, fresh] = [marksOf(before), marksOf(table.get(file) ?? [])];
    const own = [...new Set([...old.keys(), ...fresh.keys()])];
    const changed = own.filter((name) => old.get(name) !== fresh.get(name));
    const keys = changed.map((name) => index.keyOf(name)).toSorted((a, b) => a - b);
    expect([...index.takeChanged()].toSorted((a, b) => a - b)).toEqual(keys);
    const asked = [...own.slice(0, 2), `name${chance.int(different)}`, "none"];
    for (const name of asked) {
      const found = index.get(name).map(({ file: where, index: at }) => [where, at]);
      const wanted = [...table]
        .toSorted(([a], [b]) => b - a)
        .flatMap(([where, names]) =>
          names.flatMap((one) => (one.name === name ? [[where, one.index]] : [])),
        );
      expect(found).toEqual(wanted);
    }
  }
  expect(index.takeChanged().size).toBe(0);
});

it("gives one mark to what is equal, and another to what is not", () => {
  const names = ["", "a", "a", "b"].map((mark, index) => ({ name: "open", index, mark }));
  const { index } = indexOf(new Map([[0, names]]));
  index.replace(0);
  const [none, first, second, other] = index.get("open").map(({ mark }) => mark);
  expect(none).toBe(0);
  expect(first).toBe(second);
  expect(new Set([none, first, other]).size).toBe(3);
});

it("looks into files only once somebody looks for names, and into each as it comes", () => {
  const table = new Map([0, 1, 2].map((file) => [file, [{ name: "a", index: 0, mark: "" }]]));
  const { index, asked } = indexOf(table);
  for (const file of table.keys()) index.replace(file);
  expect([...index.settle(), ...index.takeChanged()]).toEqual([]);
  expect(asked).toEqual([]);
  index.want();
  const steps = index.settle();
  steps.next();
  expect(asked).toEqual(["0"]);
  expect([...steps]).toHaveLength(2);
  expect([...index.settle()]).toEqual([]);
  expect(index.keyOf("a")).not.toBe(indexOf(table, "other").index.keyOf("a"));
  expect(index.keyOf("a")).toBeLessThan(0);
});

it.each([1, 2, 3])("knows whose result a change concerns, seed %i", (seed) => {
  const chance = random(seed);
  const results = new Results();
  const read = new Map<number, ReadonlySet<number>>();
  const missing = new Set<number>();
  const keyBy = () => chance.int(300) - 150;
  for (let step = 0; step < 60; step++) {
    const file = chance.int(20);
    const keys = new Set(Array.from({ length: chance.int(12) }, keyBy));
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
    // As many as are looked up one by one, and more.
    const changed = new Set(Array.from({ length: chance.pick([0, 1, 3, 16, 40]) }, keyBy));
    results.invalidateReaders(changed);
    for (const [each, own] of read) if ([...own].some((key) => changed.has(key))) missing.add(each);
    for (let each = 0; each < 20; each++) expect(results.isMissing(each)).toBe(missing.has(each));
    expect(missing.size > 0).toBe(missing.has(results.firstMissing ?? -1));
  }
});
