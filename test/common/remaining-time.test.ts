/** The estimate of the remaining time: when it appears, how accurate it is, and that it does not jump. */

import { expect, it } from "vitest";
import { advance, formatRemainingTime, type Pace } from "../../server/common/remaining-time.ts";

const TOTAL = 10_000;

/**
 * Simulates work at a number of files per second with a sample every 100 ms. Returns the estimate in seconds after each
 * second.
 */
function work(seconds: number, rate: (second: number) => number, start?: Pace, from = 0) {
  let pace = start;
  let done = from;
  const left: (number | undefined)[] = [];
  for (let tick = 0; tick < seconds * 10; tick++) {
    pace = advance(pace, Math.floor(done), TOTAL, tick * 100);
    done += rate(tick / 10) / 10;
    if (tick % 10 === 9) left.push(pace.leftMs === undefined ? undefined : pace.leftMs / 1000);
  }
  return left;
}

const known = (left: readonly (number | undefined)[]) => left.filter((each) => each !== undefined);

it("advance gives no estimate in the first three seconds", () => {
  expect(work(3, () => 100)).toEqual([undefined, undefined, undefined]);
});

it("advance gives an estimate after three seconds of work", () => {
  const before = advance(undefined, 100, TOTAL, 0);
  expect(advance(before, 200, TOTAL, 2_999).leftMs).toBeUndefined();
  expect(advance(before, 200, TOTAL, 3_000).leftMs).toBeCloseTo(98 * 3_000);
});

it("advance excludes the time before the first file", () => {
  let pace = advance(undefined, 0, TOTAL, 0);
  for (let second = 60; second < 80; second++)
    pace = advance(pace, (second - 59) * 100, TOTAL, second * 1000);
  expect((pace.leftMs ?? 0) / 1000).toBeCloseTo(80, -0.5);
});

it("The estimate is accurate for work at a constant pace", () => {
  const left = work(60, () => 100);
  expect(left[9]).toBeCloseTo(90, -0.5);
  expect(left[59]).toBeCloseTo(40, -0.5);
});

it("The estimate follows a change of pace without a jump", () => {
  const left = known(work(80, (second) => (second < 30 ? 100 : 50)));
  const steps = left.slice(1).map((each, i) => Math.abs(each - (left[i] ?? 0)));
  expect(Math.max(...steps)).toBeLessThan(12);
  expect(left.at(-1)).toBeCloseTo((TOTAL - 3000 - 2500) / 50, -1);
});

it("advance does not count files that were skipped at the start as work", () => {
  let pace = advance(undefined, 0, TOTAL, 0);
  pace = advance(pace, 8000, TOTAL, 50);
  const left = known(work(20, () => 20, pace, 8000));
  expect(left[0]).toBeGreaterThan(80);
});

it("The estimate grows while work stalls, and restarts with the next work", () => {
  const left = known(work(40, (second) => (second < 20 ? 100 : 1)));
  expect(left.at(-1)).toBeGreaterThan(left[15] ?? 0);
  const [pace] = [advance({ samples: [{ done: 50, atMs: 0 }], leftMs: 1 }, 0, TOTAL, 100)];
  expect(pace).toEqual({ samples: [{ done: 0, atMs: 100 }] });
});

it.each([
  [1_000, "a few seconds left"],
  [38_000, "about 40 s left"],
  [130_000, "about 2 min left"],
  [7_000_000, "about 2 h left"],
])("formatRemainingTime formats %d ms", (ms, expected) =>
  expect(formatRemainingTime(ms)).toBe(expected),
);
