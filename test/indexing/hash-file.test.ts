/** Hashing files of a workspace: synchronous reads of a local disk find what asynchronous ones find. */

import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isOnLocalDisk } from "../../server/common/local-disk.ts";
import { QuickDisk } from "../../server/common/quick-disk.ts";
import { hashFile } from "../../server/indexing/hash-file.ts";
import { workspace } from "../support/workspace.ts";

const IS_LOCAL = await isOnLocalDisk(tmpdir());

/** A disk whose synchronous reads are counted. */
class CountedDisk extends QuickDisk {
  reads = 0;
  override during<T>(read: () => T): T {
    this.reads++;
    return super.during(read);
  }
}

it.each([
  { name: "small.txt", text: "small" },
  { name: "empty.txt", text: "" },
  { name: "large.txt", text: "large ".repeat(300_000) },
  { name: "inner.txt", text: "small" },
  { name: "outer.txt", text: undefined },
  { name: "folder", text: undefined },
  { name: "missing.txt", text: undefined },
])("a synchronous read finds the same of $name", async ({ name, text }) => {
  const root = workspace();
  const outside = join(workspace(), "outside.txt");
  for (const file of [join(root, "small.txt"), outside]) writeFileSync(file, "small");
  mkdirSync(join(root, "folder"));
  symlinkSync("small.txt", join(root, "inner.txt"));
  symlinkSync(outside, join(root, "outer.txt"));
  if (name.startsWith("large") || name.startsWith("empty"))
    writeFileSync(join(root, name), text ?? "");
  const disk = new CountedDisk();
  const found = await hashFile(root, name, disk);
  expect(found).toEqual(await hashFile(root, name));
  expect(found?.sha256).toBe(
    text === undefined ? undefined : createHash("sha256").update(text).digest("hex"),
  );
  expect(disk.reads).toBe(IS_LOCAL ? 1 : 0);
});

it("reads are asynchronous for a while after a slow one", async () => {
  const root = workspace();
  const disk = new QuickDisk();
  const wait = () => {
    for (const end = performance.now() + 20; performance.now() < end; );
  };
  disk.during(wait);
  expect(await disk.isQuick(root)).toBe(false);
  expect(await new QuickDisk().isQuick(root)).toBe(IS_LOCAL);
});
