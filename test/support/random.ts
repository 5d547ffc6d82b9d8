/** Draws from fast-check, for tests that build their input step by step. */

import fc from "fast-check";

export interface Random {
  /** From 0 up to, without, `below`. */
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  /** From 0 up to, without, 1. */
  share(): number;
  chance(probability: number): boolean;
  bytes(length: number): Buffer;
}

/** The draws of one run of a property. If the run fails, fast-check shrinks them and prints the seed. */
function randomOf(draw: fc.GeneratorValue): Random {
  const int = (below: number) => draw(fc.nat) % below;
  const share = () => int(2 ** 30) / 2 ** 30;
  return {
    int,
    share,
    pick: <T>(from: readonly T[]) => from[int(from.length)] as T,
    chance: (probability) => share() < probability,
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(256))),
  };
}

/** Draws outside a property, which are the same for the same seed. */
export function random(seed: number): Random {
  const [draw] = fc.sample(fc.gen(), { seed, numRuns: 1, unbiased: true });
  return randomOf(draw as fc.GeneratorValue);
}

/** Checks a claim `numRuns` times, each time with other draws. */
export function forAllRandom(
  options: { readonly seed: number; readonly numRuns: number },
  check: (random: Random) => void | Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(fc.gen(), async (draw) => {
    await check(randomOf(draw));
  });
  return fc.assert(property, { ...options, unbiased: true });
}
