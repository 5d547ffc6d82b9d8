/** Asks at the end of a test file whether its tests have left something behind that keeps a process alive. */

import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";

const POLL_MS = 20;
/** What was closed may take a moment to end. */
const MAX_POLLS = 100;

/** Timers, sockets, watchers, threads and programs; of the tests, the time limit of the one that runs. */
const active = () => process.getActiveResourcesInfo().toSorted();

/** The last of a file's tests. By then they have closed what they opened; `end` closes the rest. */
export function leaveNothingBehind(end?: () => Promise<void>): void {
  let before: string[] = [];
  beforeAll(() => {
    before = active();
  });
  it("leaves nothing behind that keeps a process alive", async () => {
    await end?.();
    for (let i = 0; i < MAX_POLLS && active().length > before.length; i++) await delay(POLL_MS);
    expect(active()).toEqual(before);
  });
}
