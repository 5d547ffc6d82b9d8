/** The reading order of a first index. */

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { breadthFirst, readingOrder } from "../../server/indexing/reading-order.ts";

const CLONED_AT = new Date("2026-01-01T12:00:00Z");

/** A clone with some files that were edited minutes later. */
function cloned(paths: readonly string[], edited: Readonly<Record<string, number>>): string {
  const root = mkdtempSync(join(tmpdir(), "cocosearch-order-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const path of paths) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
    const at = new Date(CLONED_AT.getTime() + (edited[path] ?? 0) * 60_000);
    utimesSync(file, at, at);
  }
  return root;
}

it("Folders take turns, outer folders first", () => {
  const paths = ["a/b/1.py", "a/b/2.py", "a/1.py", "a/2.py", "a/3.py", "1.py"];
  expect(breadthFirst(paths)).toEqual([
    "1.py",
    "a/1.py",
    "a/b/1.py",
    "a/2.py",
    "a/b/2.py",
    "a/3.py",
  ]);
});

it("Files edited after the clone come first, newest first", async () => {
  const paths = ["a/1.py", "a/2.py", "a/3.py", "b/1.py", "b/2.py"];
  const root = cloned(paths, { "a/3.py": 60, "b/2.py": 90, "b/1.py": 2 });
  const order = await readingOrder(root, paths, new AbortController().signal);
  expect(order).toEqual(["b/2.py", "a/3.py", "a/1.py", "b/1.py", "a/2.py"]);
});

it("A deleted file stays in the order, so that reading it reports the deletion", async () => {
  const root = cloned(["a.py"], {});
  const order = await readingOrder(root, ["a.py", "gone.py"], new AbortController().signal);
  expect(order).toEqual(["a.py", "gone.py"]);
});
