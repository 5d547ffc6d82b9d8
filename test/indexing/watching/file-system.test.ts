/** Which file systems tell of every change. */

import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { tellsEveryChange } from "../../../server/indexing/watching/file-system.ts";
import { workspace } from "../../support/workspace.ts";

it.runIf(existsSync("/proc/self"))("does not trust what is not known to be a disk", async () => {
  expect(await tellsEveryChange("/proc/self")).toBe(false);
});

it.runIf(existsSync("/dev/shm"))("trusts a disk that only this machine writes", async () => {
  expect(await tellsEveryChange("/dev/shm")).toBe(true);
});

it("does not trust a folder that is gone", async () => {
  expect(await tellsEveryChange(`${workspace()}/gone`)).toBe(false);
});
