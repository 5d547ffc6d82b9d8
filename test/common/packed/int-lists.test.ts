/** Lists of numbers in one array: each is what was put into it last, whatever happens to the others. */

import { expect, it } from "vitest";
import { createRandom } from "../../../scripts/evaluation/random.ts";
import { IntLists } from "../../../server/common/packed/int-lists.ts";

it("keeps each list while others grow, are cleared, and leave gaps that are closed", () => {
  const random = createRandom(11);
  const below = (limit: number) => Math.floor(random() * limit);
  const lists = new IntLists();
  const expected = new Map<number, number[]>();
  for (let step = 0; step < 40_000; step++) {
    const list = below(300);
    const known = expected.get(list) ?? [];
    const what = below(100);
    if (what === 0) {
      lists.clear(list);
      expected.set(list, []);
    } else if (what < 10 && known.length > 0) {
      const value = known[below(known.length)] as number;
      lists.remove(list, value);
      known.splice(known.indexOf(value), 1);
    } else {
      lists.push(list, step);
      expected.set(list, [...known, step]);
    }
  }
  for (const [list, values] of expected) {
    expect([...lists.of(list)].toSorted((a, b) => a - b)).toEqual(values.toSorted((a, b) => a - b));
  }
});
