/** The semaphore gives its slots to callers in order of arrival. */

import { expect, it } from "vitest";
import { Semaphore } from "../../server/common/semaphore.ts";

/** A caller, and whether it has acquired its slot. */
function join(semaphore: Semaphore) {
  const one = { hasBegun: false, leave: (_error?: Error) => {}, ended: Promise.resolve() };
  one.ended = semaphore.during(async (begins) => {
    void begins.then(() => {
      one.hasBegun = true;
    });
    await new Promise<void>((resolve, reject) => {
      one.leave = (error) => (error === undefined ? resolve() : reject(error));
    });
  });
  return one;
}

it("A caller acquires its slot when an earlier one releases it", async () => {
  const semaphore = new Semaphore(2);
  const row = [join(semaphore), join(semaphore), join(semaphore), join(semaphore)];
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
});
