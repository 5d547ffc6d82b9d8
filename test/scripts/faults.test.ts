/** The faults that are put into sources, and those that are not because they could change nothing. */

import { expect, it } from "vitest";
import { faultsOf } from "../../scripts/mutation/faults.ts";

async function changed(text: string): Promise<string[]> {
  return (await faultsOf(text)).map(
    ({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
  );
}

it.each([
  ["call(a < b);", [";", "call(a <= b);"]],
  ["const x = a && !b;", ["const x = a || !b;", "const x = a && b;"]],
  ["const MAX = 9;", ["const MAX = 10;"]],
  ["const MAX = 900;", ["const MAX = 9000;"]],
  ["const WAIT_MS = 9;", ["const WAIT_MS = 90;"]],
  ["log.debug(`x`, { at: 1 });", []],
])("of %s are %j", async (text, expected) => {
  expect((await changed(text)).toSorted()).toEqual(expected.toSorted());
});

it.each([
  ["a clock", "const x = now() < end;"],
  ["a wait", "while (waitedMs < limit) wait();"],
  ["a comparator", "list.sort((a, b) => (a < b ? -1 : 1));"],
  ["the larger one", "const x = a > b ? a : b;"],
  ["the largest one", "if (a > b) b = a;"],
  ["what is cut", "const x = list.length > max ? list.slice(0, max) : list;"],
  ["what is cut in place", "if (list.length > max) list = list.slice(0, max);"],
  ["a cache", "if (known.size >= max) known.clear();"],
])("of a comparison where both may be equal are none for %s", async (_, text) => {
  const comparisons = (await changed(text)).filter((one) => /[<>]=?/.test(one) && one !== text);
  const swapped = text.replace(/([<>])(=?) /, (_all, sign, equal) => `${sign}${equal ? "" : "="} `);
  expect(comparisons).not.toContain(swapped);
});

it("names the functions whose tests are asked", async () => {
  const text = "const MAX = 9;\nfunction run(a: number) {\n  return a < MAX;\n}\n";
  const faults = await faultsOf(text);
  expect(faults.map(({ within, isInFunction }) => [...within, isInFunction])).toEqual([
    ["run", false],
    ["run", true],
  ]);
});
