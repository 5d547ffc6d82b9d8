/** Which file systems are disks of this machine. */

import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { isOnLocalDisk } from "../../server/common/local-disk.ts";
import { workspace } from "../support/workspace.ts";

it.runIf(existsSync("/proc/self"))("does not trust what is not known to be a disk", async () => {
  expect(await isOnLocalDisk("/proc/self")).toBe(false);
});

it.runIf(existsSync("/dev/shm"))("trusts a disk that only this machine writes", async () => {
  expect(await isOnLocalDisk("/dev/shm")).toBe(true);
});

it("does not trust a folder that is gone", async () => {
  expect(await isOnLocalDisk(`${workspace()}/gone`)).toBe(false);
});
