/** Reconciliation of stored files with the disk. */

import { createHash } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silent } from "../../../server/common/log.ts";
import { DEFAULTS } from "../../../server/config/settings.ts";
import { createIgnoreRules } from "../../../server/indexing/ignore/ignore-rules.ts";
import { StoredFiles } from "../../../server/indexing/stored-files.ts";
import { Reconciler } from "../../../server/indexing/watching/reconcile.ts";
import { fingerprintOf } from "../../../server/indexing/watching/stat-fingerprint.ts";
import { workspace, write } from "../../support/workspace.ts";

const never = new AbortController().signal;

/** Stores a.py and b.py; c.bin is excluded for its content. */
function reconciled() {
  const root = workspace("//- a.py\n1\n//- b.py\n1\n//- c.bin2\n1\n");
  const files = new StoredFiles();
  const put = (path: string) =>
    files.put({
      path,
      sha256: createHash("sha256").update(path).digest("hex"),
      statFingerprint: fingerprintOf(statSync(join(root, path), { bigint: true })),
    });
  put("a.py");
  put("b.py");
  const missed: string[][] = [];
  const unproven: string[][] = [];
  const state = { isIdle: true };
  const reconciler = new Reconciler({
    root,
    rules: createIgnoreRules(root, DEFAULTS),
    log: silent,
    idleFiles: () => (state.isIdle ? files : undefined),
    isExcluded: (path) => path === "c.bin2",
    missed: (paths) => missed.push(paths.toSorted()),
    unproven: (paths) => unproven.push(paths.toSorted()),
    confirmMs: 1,
  });
  return { root, files, put, missed, unproven, state, look: () => reconciler.scan(never) };
}

it("Reconciliation reports nothing while files are unchanged", async () => {
  const { missed, look } = reconciled();
  await look();
  await look();
  expect(missed).toEqual([]);
});

it("Reconciliation reports created, changed and deleted files", async () => {
  const { root, missed, look } = reconciled();
  write(root, "//- a.py\n22\n//- new/deep/d.py\n1\n");
  rmSync(join(root, "b.py"));
  await look();
  expect(missed).toEqual([["a.py", "b.py", "new/deep/d.py"]]);
});

it("Reconciliation applies the current exclusion rules", async () => {
  const { root, missed, look } = reconciled();
  await look();
  write(root, "//- .gitignore\nb.py\n.gitignore\n");
  await look();
  expect(missed).toEqual([["b.py"]]);
});

it("A file indexed without a fingerprint is read again once", async () => {
  const { root, files, missed, unproven, look } = reconciled();
  for (const [i, text] of ["22", "333"].entries()) {
    write(root, `//- a.py\n${text}\n`);
    files.put({ path: "a.py", sha256: text });
    await look();
    await look();
    expect(unproven.filter((paths) => paths.includes("a.py"))).toHaveLength(i + 1);
  }
  expect(missed).toEqual([]);
});

it("A file that changed before the first scan is read again", async () => {
  const { root, files, unproven, look } = reconciled();
  files.put({ path: "a.py", sha256: "as it was" });
  write(root, "//- a.py\n22\n");
  await look();
  expect(unproven.flat()).toContain("a.py");
});

it("A file excluded for its content is read again once, and when it changes", async () => {
  const { root, missed, unproven, look } = reconciled();
  await look();
  await look();
  expect(unproven).toEqual([["c.bin2"]]);
  write(root, "//- c.bin2\n22\n");
  await look();
  await look();
  expect(unproven).toEqual([["c.bin2"], ["c.bin2"]]);
  expect(missed).toEqual([]);
});

it("A change whose event arrives during the confirmation is not reported", async () => {
  const { root, put, missed, look } = reconciled();
  write(root, "//- a.py\n22\n//- b.py\n22\n");
  const looking = look();
  put("b.py");
  await looking;
  expect(missed).toEqual([["a.py"]]);
});

it("Reconciliation does not scan while files are being indexed", async () => {
  const { root, state, missed, look } = reconciled();
  write(root, "//- a.py\n22\n");
  state.isIdle = false;
  await look();
  expect(missed).toEqual([]);
});
