/** Recognizing unchanged files by `stat`. */

import type { BigIntStats } from "node:fs";
import { renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { StoredFiles } from "../../../server/indexing/stored-files.ts";
import {
  filesToRead,
  statFingerprint,
} from "../../../server/indexing/watching/stat-fingerprint.ts";
import { workspace } from "../../support/workspace.ts";

const NOW = 1_800_000_000_000;
const seconds = (ago: number) => BigInt(NOW - ago * 1_000) * 1_000_000n;
const stats = (mtimeNs: bigint, ctimeNs: bigint) =>
  ({ size: 10n, ino: 7n, mtimeNs, ctimeNs }) as BigIntStats;

it("A file changed a moment ago, or in the future, has no fingerprint", () => {
  expect(statFingerprint(stats(seconds(60), seconds(60)), NOW)).toBeDefined();
  expect(statFingerprint(stats(seconds(1), seconds(60)), NOW)).toBeUndefined();
  expect(statFingerprint(stats(seconds(60), seconds(1)), NOW)).toBeUndefined();
  expect(statFingerprint(stats(seconds(-60), seconds(60)), NOW)).toBeUndefined();
});

it("`filesToRead` returns files rewritten with the old time, replaced, deleted or unknown", {
  tags: ["slow"],
}, async () => {
  const names = ["same.py", "back.py", "new.py", "gone.py", "unknown.py"];
  const root = workspace(names.map((name) => `//- ${name}\nx = 1\n`).join(""));
  const path = (name: string) => join(root, name);
  const fingerprint = (name: string) =>
    statFingerprint(statSync(path(name), { bigint: true }), Date.now());
  // Whole seconds can be restored exactly, so that only the change time differs.
  const written = 1_700_000_000;
  utimesSync(path("back.py"), written, written);
  // The change time cannot be set, so the test waits.
  while (names.some((name) => fingerprint(name) === undefined)) await delay(100);
  const fingerprints = new Map(names.slice(0, -1).map((name) => [name, fingerprint(name) ?? ""]));
  const hashes = new Map(names.map((name) => [name, "hash"]));
  const files = new StoredFiles(hashes, fingerprints);

  const { mtimeNs, size, ino } = statSync(path("back.py"), { bigint: true });
  writeFileSync(path("back.py"), "x = 2\n");
  utimesSync(path("back.py"), written, written);
  expect(statSync(path("back.py"), { bigint: true })).toMatchObject({ mtimeNs, size, ino });
  const { atime, mtime } = statSync(path("new.py"));
  writeFileSync(path("other"), "x = 3\n");
  utimesSync(path("other"), atime, mtime);
  renameSync(path("other"), path("new.py"));
  renameSync(path("gone.py"), path("elsewhere.py"));

  const { signal } = new AbortController();
  expect(await filesToRead({ root, files }, names, signal)).toEqual(names.slice(1));
  while (fingerprint("back.py") === undefined) await delay(100);
  expect(await filesToRead({ root, files }, names, signal)).toEqual(names.slice(1));
});
