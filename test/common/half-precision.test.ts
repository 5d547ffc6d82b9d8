/** Rounding to half-precision numbers. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { halvesToFloats, roundToHalves } from "../../server/common/half-precision.ts";

function rounded(...numbers: number[]): number[] {
  const result = new Float32Array(numbers.length);
  roundToHalves(Float32Array.from(numbers), result);
  return [...result];
}

/** All halves that are not negative, from the definition: a sign bit, five bits of exponent, ten of fraction. */
const HALVES = Array.from({ length: 31 * 1024 }, (_, bits) => {
  const [exponent, fraction] = [bits >> 10, bits & 1023];
  return exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
});

it("roundToHalves does not change a half", () => {
  expect(rounded(...HALVES)).toEqual(HALVES);
  expect(rounded(...HALVES.slice(1).map((half) => -half))).toEqual(
    HALVES.slice(1).map((half) => -half),
  );
});

it("roundToHalves rounds to the nearest half, ties to even", () => {
  const check = (at: number, thousandths: number) => {
    const [below, above] = [HALVES[at] ?? 0, HALVES[at + 1] ?? 0];
    const middle = (below + above) / 2;
    const part = Math.fround(below + (above - below) * (thousandths / 1000));
    const even = at % 2 === 0 ? below : above;
    const nearest = part === middle ? even : part < middle ? below : above;
    expect(rounded(middle)).toEqual([even]);
    expect(rounded(part)[0]).toBe(nearest);
    expect(Math.abs(rounded(-part)[0] ?? NaN)).toBe(nearest);
  };
  const property = fc.property(fc.nat(HALVES.length - 2), fc.nat(1000), check);
  fc.assert(property, { seed: 5, numRuns: 20_000 });
});

it("roundToHalves rounds a subarray in place", () => {
  const numbers = Float32Array.of(1 / 3, 1 / 3, 1 / 3);
  const middle = numbers.subarray(1, 2);
  roundToHalves(middle, middle);
  expect([...numbers]).toEqual([Math.fround(1 / 3), 0.333251953125, Math.fround(1 / 3)]);
});

it("Halves become the numbers that they are", () => {
  const bits = [0x0000, 0x3c00, 0xc000, 0x0001, 0x7bff, 0x3555, 0x7c00, 0xfc00, 0x7e00];
  const third = 0.333251953125;
  expect([...halvesToFloats(Uint16Array.from(bits))]).toEqual([
    0,
    1,
    -2,
    2 ** -24,
    65_504,
    third,
    Infinity,
    -Infinity,
    Number.NaN,
  ]);
});

it("Halves become numbers that are not rounded again", () => {
  const finite = Uint16Array.from({ length: 0x7c00 }, (_, bits) => bits);
  const numbers = halvesToFloats(finite);
  const again = new Float32Array(numbers.length);
  roundToHalves(numbers, again);
  expect(again).toEqual(numbers);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers);
});
