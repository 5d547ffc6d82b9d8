/** Which file systems count as local disks. */

import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { isOnLocalDisk } from "../../server/common/local-disk.ts";
import { workspace } from "../support/workspace.ts";

it.runIf(existsSync("/proc/self"))(
  "isOnLocalDisk is false for an unknown file system",
  async () => {
    expect(await isOnLocalDisk("/proc/self")).toBe(false);
  },
);

it.runIf(existsSync("/dev/shm"))("isOnLocalDisk is true for a local file system", async () => {
  expect(await isOnLocalDisk("/dev/shm")).toBe(true);
});

it("isOnLocalDisk is false for a missing folder", async () => {
  expect(await isOnLocalDisk(`${workspace()}/gone`)).toBe(false);
});
