/** Asks at the end of a test file whether its tests have left something behind that keeps a process alive. */

import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";

const POLL_MS = 20;
/** What was closed may take a moment to end. */
const MAX_POLLS = 100;

/** Timers, sockets, watchers, threads and programs; of the tests, the time limit of the one that runs. */
const active = () => process.getActiveResourcesInfo();

/** Those that were not there before; what was there may have ended meanwhile. */
function added(before: readonly string[]): string[] {
  const left = [...before];
  return active().filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The last of a file's tests. By then they have closed what they opened; `end` closes the rest. */
export function leaveNothingBehind(end?: () => Promise<void>): void {
  let before: string[] = [];
  beforeAll(() => {
    before = active();
  });
  it("leaves nothing behind that keeps a process alive", async () => {
    await end?.();
    for (let i = 0; i < MAX_POLLS && added(before).length > 0; i++) await delay(POLL_MS);
    expect(added(before)).toEqual([]);
  });
}
