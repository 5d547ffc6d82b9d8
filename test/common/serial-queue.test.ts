/** The serial queue: order and failures. */

import { expect, it } from "vitest";
import { SerialQueue } from "../../server/common/serial-queue.ts";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

it("SerialQueue starts a task after the previous one has ended", async () => {
  const queue = new SerialQueue();
  const order: string[] = [];
  const task = (name: string, ticks: number) => async () => {
    order.push(`${name} starts`);
    for (let i = 0; i < ticks; i++) await tick();
    order.push(`${name} ends`);
    return name;
  };
  expect(await Promise.all([queue.run(task("a", 3)), queue.run(task("b", 0))])).toEqual(["a", "b"]);
  expect(order).toEqual(["a starts", "a ends", "b starts", "b ends"]);
});

it("SerialQueue rejects only the failed task and runs the next one", async () => {
  const queue = new SerialQueue();
  const failed = queue.run(() => Promise.reject(new Error("first")));
  const next = queue.run(async () => "second");
  await expect(failed).rejects.toThrow("first");
  expect(await next).toBe("second");
});
