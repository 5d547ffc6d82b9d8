/** The counting of `npm run bench`. */

import { expect, it } from "vitest";
import { median, medians, namesOf, percentile, rounded } from "../../scripts/bench/statistics.ts";
import { cpuMs, megabytes } from "../../scripts/bench/usage.ts";

const TEN = [10, 1, 9, 2, 8, 3, 7, 4, 6, 5];

it.each([
  [TEN, 0.5, 5],
  [TEN, 0.95, 10],
  [TEN, 0.9, 9],
  [[3], 0.95, 3],
  [[3], 0, 3],
])("finds the value that a share of %j does not exceed", (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

it.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[7], 7],
])("finds the middle of %j", (values, expected) => expect(median(values)).toBe(expected));

it("takes the median of each number over the runs that have it", () => {
  const runs = [
    { initializeMs: 100, engineMb: undefined },
    { initializeMs: 300, engineMb: 8 },
    { initializeMs: 200, engineMb: undefined },
  ];
  expect(medians(runs)).toEqual({ initializeMs: 200, engineMb: 8 });
});

it("shows measurements that only the newer or only the older program has", () => {
  const [old, now] = [
    { startMs: 1, goneMs: 2 },
    { startMs: 3, loopMs: 4 },
  ];
  const names = namesOf([{ numbers: old }, { numbers: now }]);
  expect(names).toEqual(["startMs", "loopMs", "goneMs"]);
});

it("returns undefined for values that were never measured", () => {
  expect(medians([{ engineMb: undefined }])).toEqual({ engineMb: undefined });
});

it.each([
  [1234.5, 1235],
  [12.345, 12.3],
  [0.01234, 0.0123],
])("rounds %d to its reliable digits", (value, expected) => expect(rounded(value)).toBe(expected));

it("adds up the processor time of a process and its children, for any name", () => {
  const stat = "12 (node (main) x) S 1 12 12 0 -1 4194304 9 0 0 0 100 20 3 4 20 0 11 0 5 6 7";
  expect(cpuMs(stat)).toBe(1270);
});

it("reads memory in megabytes of a million bytes", () => {
  expect(megabytes("VmHWM:\t  2000 kB\nVmRSS:\t  1000 kB\n", "VmRSS")).toBe(1.024);
  expect(megabytes("Name:\tnode\n", "VmRSS")).toBeUndefined();
});
