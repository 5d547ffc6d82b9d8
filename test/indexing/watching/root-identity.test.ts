/** Detection of a replaced root. */

import { mkdirSync, renameSync, rmdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { watchIdentity } from "../../../server/indexing/watching/root-identity.ts";
import { workspace } from "../../support/workspace.ts";

/** Longer than a test. */
const NEVER_MS = 100_000;

/** One tick of the coarsest kernel clock, so that birth time and change time differ. */
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

it("Changes inside the root keep its identity", async () => {
  const { root, look } = await watched();
  writeFileSync(join(root, "a.py"), "");
  utimesSync(root, 1, 1);
  expect([await look(), await look()]).toEqual([0, 0]);
});

it("Deleting or creating the root changes its identity; moving it away and back does not", async () => {
  const { root, look } = await watched();
  renameSync(root, `${root}.away`);
  expect([await look(), await look()]).toEqual([1, 0]);
  renameSync(`${root}.away`, root);
  expect([await look(), await look()]).toEqual([1, 0]);
  renameSync(root, `${root}.away`);
  renameSync(`${root}.away`, root);
  expect(await look()).toBe(0);
});

it("A recreated root has another identity, even with the same inode", async () => {
  const { root, look } = await watched();
  await fill(root);
  await look();
  // Most file systems reuse the inode number.
  for (let i = 0; i < 3; i++) {
    rmSync(root, { recursive: true });
    mkdirSync(root);
    await fill(root);
    expect(await look()).toBe(1);
  }
});

it("An existing root that is not watched is reported, a missing one is not", async () => {
  const { root, state, look } = await watched();
  state.isLost = true;
  expect([await look(), await look()]).toEqual([1, 1]);
  rmdirSync(root);
  expect([await look(), await look()]).toEqual([1, 0]);
});

it("A replaced .git changes the identity", async () => {
  const { root, look } = await watched();
  mkdirSync(join(root, ".git"));
  expect([await look(), await look()]).toEqual([1, 0]);
  writeFileSync(join(root, ".git/config"), "");
  expect(await look()).toBe(0);
});
