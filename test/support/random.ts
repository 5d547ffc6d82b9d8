/** Chance that comes out the same for the same seed, so that a failure can be seen again. */

import { createRandom } from "../../scripts/evaluation/random.ts";

export interface Random {
  /** From 0 up to, without, `below`. */
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
  bytes(length: number): Buffer;
}

export function random(seed: number): Random {
  const next = createRandom(seed);
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    pick: <T>(from: readonly T[]) => from[int(from.length)] as T,
    chance: (probability) => next() < probability,
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(256))),
  };
}
