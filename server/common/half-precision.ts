/** Half-precision numbers (16 bits, IEEE 754), the stored form of vectors. */

/** Below 2^-14 halves are subnormal: they have a constant distance. */
const FIRST_NORMAL_EXPONENT = 127 - 14;
/** The reciprocal of the smallest half. */
const SMALLEST_IN_ONE = 2 ** 24;
/** Adding and subtracting this rounds a 64-bit float to an integer, ties to even. */
const ROUNDER = 1.5 * 2 ** 52;

/**
 * Writes the nearest halves of some numbers, ties to even, with magnitudes of at most 65,504. `numbers` is rounded in
 * place to the same values, as Postgres does when it stores them.
 */
export function roundToHalves(numbers: Float32Array, rounded: Float32Array): void {
  rounded.set(numbers);
  const bits = new Uint32Array(rounded.buffer, rounded.byteOffset, numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    const own = bits[i] as number;
    if (((own >>> 23) & 255) < FIRST_NORMAL_EXPONENT) {
      const steps = (numbers[i] as number) * SMALLEST_IN_ONE + ROUNDER - ROUNDER;
      rounded[i] = steps / SMALLEST_IN_ONE;
    } else bits[i] = (own + 0xfff + ((own >>> 13) & 1)) & ~0x1fff;
  }
}

/** The exponent of infinity and of NaN, in a half. */
const LAST_EXPONENT = 31;

/** The numbers of all halves. Computing each number of 16 thousand vectors took a second of processor time. */
let numbersOfHalves: Float32Array | undefined;

/** The numbers that some halves are, by their bits. */
export function halvesToFloats(halves: Uint16Array): Float32Array {
  numbersOfHalves ??= Float32Array.from({ length: 2 ** 16 }, (_, bits) => numberOf(bits));
  const known = numbersOfHalves;
  const numbers = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i++) numbers[i] = known[halves[i] as number] as number;
  return numbers;
}

function numberOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & LAST_EXPONENT;
  const fraction = bits & 0x3ff;
  if (exponent === LAST_EXPONENT) return fraction === 0 ? sign * Infinity : Number.NaN;
  if (exponent === 0) return (sign * fraction) / SMALLEST_IN_ONE;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
