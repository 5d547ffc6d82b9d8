/** What the comparison of the stored files with the disk reports. */

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

/** Stores a.py and b.py as they are; c.bin is left out for its content. */
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

it("reports nothing while the disk is what is stored", async () => {
  const { missed, look } = reconciled();
  await look();
  await look();
  expect(missed).toEqual([]);
});

it("reports files that came, changed and went", async () => {
  const { root, missed, look } = reconciled();
  write(root, "//- a.py\n22\n//- new/deep/d.py\n1\n");
  rmSync(join(root, "b.py"));
  await look();
  expect(missed).toEqual([["a.py", "b.py", "new/deep/d.py"]]);
});

it("judges by the rules as they are now", async () => {
  const { root, missed, look } = reconciled();
  await look();
  write(root, "//- .gitignore\nb.py\n.gitignore\n");
  await look();
  expect(missed).toEqual([["b.py"]]);
});

it("has a file read again once that was indexed when it was too young to be recognized", async () => {
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

it("has a file read again that changed unheard before its first look", async () => {
  const { root, files, unproven, look } = reconciled();
  files.put({ path: "a.py", sha256: "as it was" });
  write(root, "//- a.py\n22\n");
  await look();
  expect(unproven.flat()).toContain("a.py");
});

it("has a file that its content keeps out read again once, and when it changes", async () => {
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

it("leaves out what an event told while it waited for one", async () => {
  const { root, put, missed, look } = reconciled();
  write(root, "//- a.py\n22\n//- b.py\n22\n");
  const looking = look();
  put("b.py");
  await looking;
  expect(missed).toEqual([["a.py"]]);
});

it("looks at nothing while files are being indexed", async () => {
  const { root, state, missed, look } = reconciled();
  write(root, "//- a.py\n22\n");
  state.isIdle = false;
  await look();
  expect(missed).toEqual([]);
});
