/** A vector is stored as the halves that the lanes compare. */

import { describe, expect, it } from "vitest";
import { roundToHalves } from "../../server/common/half-precision.ts";
import { asBase64, fromBase64 } from "../../server/store/binary-format.ts";
import { vectors } from "../../server/store/columns.ts";
import { DATABASES } from "../support/databases.ts";
import { random } from "../support/random.ts";

const chance = random(3);

/** Numbers of all sizes; a third of them is exactly between two halves. */
const NUMBERS = Float32Array.from({ length: 4000 }, () => {
  const number = (chance.int(2_000_001) - 1_000_000) / 1_000_000;
  return chance.chance(0.3)
    ? (Math.floor(number * 1024) + 0.5) / 2048
    : number / 2 ** chance.int(26);
});

describe.each(DATABASES)("in $name", ({ missing, create }) => {
  it.skipIf(missing !== undefined)("numbers are rounded as in the lanes", async () => {
    const database = await create();
    await (await database.open()).close();
    const bare = database.openBare();
    try {
      const rounded = new Float32Array(NUMBERS.length);
      roundToHalves(NUMBERS, rounded);
      const [row] = await bare.query<{ vector: string }>(
        `select ${asBase64("each::halfvec::vector")} as vector from unnest($1::vector[]) as each`,
        [vectors([NUMBERS])],
      );
      // Zero has no sign in lanes.
      const stored = Array.from(fromBase64(row?.vector ?? ""), (number) => number + 0);
      expect(stored).toEqual([...rounded]);
    } finally {
      await bare.close();
      await database.dispose();
    }
  });
});
