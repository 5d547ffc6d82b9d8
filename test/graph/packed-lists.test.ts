/** Lists of numbers in one array: each is what was set last, whatever happens to the others. */

import { expect, it } from "vitest";
import { createRandom } from "../../scripts/evaluation/random.ts";
import { PackedLists } from "../../server/graph/packed-lists.ts";

it("keeps each list through growth, replacement, trimming and copies without garbage", () => {
  const random = createRandom(7);
  const below = (limit: number) => Math.floor(random() * limit);
  const packed = new PackedLists((length) => new Int32Array(length));
  const expected = new Map<number, number[]>();
  for (let step = 0; step < 3000; step++) {
    const list = below(700);
    const numbers = Array.from({ length: below(step % 50 === 0 ? 400 : 6) }, () => below(1e9));
    packed.set(list, numbers);
    expected.set(list, numbers);
    if (step % 500 === 0) packed.trim();
  }
  for (let list = 0; list < 800; list++)
    expect([...packed.get(list)]).toEqual(expected.get(list) ?? []);
});
