/** When a watched folder is taken for another one. */

import { mkdirSync, renameSync, rmdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { watchIdentity } from "../../../server/indexing/watching/root-identity.ts";
import { workspace } from "../../support/workspace.ts";

/** More than a test takes. */
const NEVER_MS = 100_000;

/** Later than it was made, by the coarsest clock of a kernel: then its time of birth is known from that of its last change. */
async function fill(root: string): Promise<void> {
  await delay(20);
  writeFileSync(join(root, "a.py"), "");
}

async function watched() {
  const root = join(workspace(), "root");
  mkdirSync(root);
  const state = { isLost: false, changes: 0, failures: [] as unknown[] };
  const identity = await watchIdentity(root, NEVER_MS, {
    isLost: async () => state.isLost,
    changed: async () => void state.changes++,
    failed: (error) => void state.failures.push(error),
  });
  onTestFinished(() => identity.stop());
  const look = async () => {
    const before = state.changes;
    await identity.check();
    return state.changes - before;
  };
  return { root, state, look };
}

it("is the same while only what is in it changes", async () => {
  const { root, look } = await watched();
  writeFileSync(join(root, "a.py"), "");
  utimesSync(root, 1, 1);
  expect([await look(), await look()]).toEqual([0, 0]);
});

it("is another one once it is gone, and once it is back, and the same when it was moved away and back", async () => {
  const { root, look } = await watched();
  renameSync(root, `${root}.away`);
  expect([await look(), await look()]).toEqual([1, 0]);
  renameSync(`${root}.away`, root);
  expect([await look(), await look()]).toEqual([1, 0]);
  renameSync(root, `${root}.away`);
  renameSync(`${root}.away`, root);
  expect(await look()).toBe(0);
});

it("is another one when it was made again, also under the number that it had", async () => {
  const { root, look } = await watched();
  await fill(root);
  await look();
  // Most file systems give the number again.
  for (let i = 0; i < 3; i++) {
    rmSync(root, { recursive: true });
    mkdirSync(root);
    await fill(root);
    expect(await look()).toBe(1);
  }
});

it("is looked at again while it is there and not watched, and not while it is gone", async () => {
  const { root, state, look } = await watched();
  state.isLost = true;
  expect([await look(), await look()]).toEqual([1, 1]);
  rmdirSync(root);
  expect([await look(), await look()]).toEqual([1, 0]);
});

it("has another repository once its .git is another one", async () => {
  const { root, look } = await watched();
  mkdirSync(join(root, ".git"));
  expect([await look(), await look()]).toEqual([1, 0]);
  writeFileSync(join(root, ".git/config"), "");
  expect(await look()).toBe(0);
});
