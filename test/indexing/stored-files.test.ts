/** Retries of files that timed out. */

import { expect, it } from "vitest";
import { CUT_TIMEOUT } from "../../server/contracts/model.ts";
import { StoredFiles } from "../../server/indexing/stored-files.ts";

const RULE = `${CUT_TIMEOUT} 30 s`;
const excluded = { path: "a.cpp", rule: RULE, statFingerprint: "1" };

it("A file that timed out is retried up to three attempts", () => {
  const files = new StoredFiles();
  const tried: boolean[] = [];
  for (let pass = 0; pass < 4; pass++) {
    files.exclude(excluded);
    tried.push(files.isUnfinished("a.cpp"));
  }
  expect(tried).toEqual([true, true, false, false]);
  expect(files.exclusionRule("a.cpp")).toBe(`${RULE}, in 3 attempts`);
});

it("A file that timed out is retried after a restart, unless it was given up", () => {
  const stored = [excluded, { ...excluded, path: "b.cpp", rule: `${RULE}, in 3 attempts` }];
  const files = new StoredFiles(new Map(), new Map(), [], stored);
  expect(["a.cpp", "b.cpp"].map((path) => files.isUnfinished(path))).toEqual([true, false]);
});

it("The attempts restart when the file changes", () => {
  const files = new StoredFiles();
  for (let pass = 0; pass < 3; pass++) files.exclude(excluded);
  files.exclude({ ...excluded, statFingerprint: "2" });
  expect(files.isUnfinished("a.cpp")).toBe(true);
});

it("A file that is excluded by another rule, or was stored, is not retried", () => {
  const files = new StoredFiles();
  files.exclude({ ...excluded, rule: "binary" });
  expect(files.isUnfinished("a.cpp")).toBe(false);
  files.exclude(excluded);
  files.put({ path: "a.cpp", sha256: "1" });
  expect([files.isUnfinished("a.cpp"), files.exclusionRule("a.cpp")]).toEqual([false, undefined]);
  expect(files.unfinished).toBe(0);
});
