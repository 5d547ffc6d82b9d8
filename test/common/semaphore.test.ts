/** Those in a row are told when they are among the first. */

import { expect, it } from "vitest";
import { Semaphore } from "../../server/common/semaphore.ts";

/** One in the row, and whether its turn has begun. */
function join(turns: Semaphore) {
  const one = { hasBegun: false, leave: (_error?: Error) => {}, ended: Promise.resolve() };
  one.ended = turns.during(async (begins) => {
    void begins.then(() => {
      one.hasBegun = true;
    });
    await new Promise<void>((resolve, reject) => {
      one.leave = (error) => (error === undefined ? resolve() : reject(error));
    });
  });
  return one;
}

it("begins with as many as may be at once, and goes on with the next when one leaves", async () => {
  const turns = new Semaphore(2);
  const row = [join(turns), join(turns), join(turns), join(turns)];
  const begun = async () => {
    await Promise.resolve();
    return row.map(({ hasBegun }) => hasBegun);
  };
  expect(await begun()).toEqual([true, true, false, false]);
  row[1]?.leave();
  await row[1]?.ended;
  expect(await begun()).toEqual([true, true, true, false]);
  row[0]?.leave(new Error("it failed"));
  await expect(row[0]?.ended).rejects.toThrow("it failed");
  expect(await begun()).toEqual([true, true, true, true]);
  expect(turns.size).toBe(2);
});
