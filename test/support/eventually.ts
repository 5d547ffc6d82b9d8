/** Waits until a check passes, as long as a busy machine may take. */

import { vi } from "vitest";

const LIMITS = { timeout: 60_000, interval: 50 };

/** The last failure of the check is the failure of the test. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return await vi.waitFor(check, LIMITS);
}
