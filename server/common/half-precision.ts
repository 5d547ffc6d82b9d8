/** Numbers of 16 bits (halves of IEEE 754), as which vectors are stored. */

/** Below it halves have the same distance from each other: 2^-14. */
const FIRST_NORMAL_EXPONENT = 127 - 14;
/** Of the smallest half, how many are 1. */
const SMALLEST_IN_ONE = 2 ** 24;
/** Added to and taken from a number of 64 bits, it leaves the nearest whole one, of two the even one. */
const ROUNDER = 1.5 * 2 ** 52;

/**
 * Writes the nearest halves of some numbers, of two the even one; numbers are at most 65,504. The bits that a half
 * lacks are rounded away in place, as Postgres does when it stores them.
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
