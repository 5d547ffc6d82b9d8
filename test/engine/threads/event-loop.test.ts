/** The monitor of the event loop's delay. */

import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { EventLoopMonitor } from "../../../server/engine/threads/event-loop.ts";

const BLOCKED_MS = 80;

function block(): void {
  const until = performance.now() + BLOCKED_MS;
  while (performance.now() < until);
}

it("The monitor measures how long the thread was blocked", async () => {
  const monitor = new EventLoopMonitor();
  monitor.measure(true);
  while ((monitor.delay?.maxMs ?? 0) < BLOCKED_MS / 2) {
    block();
    await delay(5);
  }
  monitor.measure(false);
  expect(monitor.delay?.maxMs).toBeGreaterThanOrEqual(BLOCKED_MS / 2);
});

it("The delay is undefined before the first indexing", () => {
  expect(new EventLoopMonitor().delay).toBeUndefined();
});

it("The time between two passes is not a delay", async () => {
  const monitor = new EventLoopMonitor();
  monitor.measure(true);
  while ((monitor.delay?.maxMs ?? 0) === 0) {
    block();
    await delay(5);
  }
  monitor.measure(false);
  const { maxMs } = monitor.delay ?? { maxMs: 0 };
  const pauseMs = Math.max(2 * maxMs, 200);
  await delay(pauseMs);
  const start = performance.now();
  monitor.measure(true);
  await delay(30);
  monitor.measure(false);
  const elapsedMs = performance.now() - start;
  expect(monitor.delay?.maxMs).toBeLessThanOrEqual(Math.max(maxMs, elapsedMs));
});
