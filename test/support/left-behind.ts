/** Asks at the end of a test file whether its tests have left something behind that keeps a process alive. */

import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";

const POLL_MS = 20;
/** Closed resources may take a moment to end. */
const MAX_POLLS = 100;

/** Timers, sockets, watchers, threads and child processes; includes the time limit of the running test. */
const active = () => process.getActiveResourcesInfo();

/** Resources that did not exist before; earlier ones may have ended since. */
function added(before: readonly string[]): string[] {
  const left = [...before];
  return active().filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The last test of a file: all resources of the other tests are closed; `end` closes the shared ones. */
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
