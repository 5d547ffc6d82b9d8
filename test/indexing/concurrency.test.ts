/** Concurrency of `forEachLimited`. */

import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { forEachLimited } from "../../server/indexing/concurrency.ts";

const ITEMS = [1, 2, 3, 4, 5, 6];

it("Items run one at a time while `isOneEnough`, and concurrently before and after", async () => {
  let underWay = 0;
  const most: number[] = [];
  const run = async (item: number) => {
    most[item] = ++underWay;
    for (let i = 0; i < 3; i++) await turn();
    underWay--;
  };
  let isOneEnough = true;
  await forEachLimited(ITEMS, 3, run, () => isOneEnough);
  expect(Math.max(...most.slice(1))).toBe(1);
  isOneEnough = false;
  await forEachLimited(ITEMS, 3, run, () => isOneEnough);
  expect(Math.max(...most.slice(1))).toBe(3);
});

it("Waiting lanes continue when `isOneEnough` becomes false", async () => {
  let isOneEnough = true;
  let release = () => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const done: number[] = [];
  await forEachLimited(
    ITEMS,
    3,
    async (item) => {
      if (item === 1) {
        isOneEnough = false;
        await blocked;
      } else done.push(item);
      if (done.length === ITEMS.length - 1) release();
    },
    () => isOneEnough,
  );
  expect(done).toEqual([2, 3, 4, 5, 6]);
});

it("An error ends waiting lanes", async () => {
  const failing = forEachLimited(
    ITEMS,
    3,
    async () => {
      throw new Error("unreadable");
    },
    () => true,
  );
  await expect(failing).rejects.toThrow("unreadable");
});
