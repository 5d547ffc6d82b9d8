/** The texts that scans keep: read again after a change, never from outside of the root, at most as large as allowed. */

import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { trigramsOf } from "../../server/common/trigram-filter.ts";
import { KeptTexts } from "../../server/indexing/kept-texts.ts";
import { workspace } from "../support/workspace.ts";

const MAX = 1_000;

/** Keeps files that were written a moment ago, too. */
const keeping = () => new KeptTexts(() => Date.now() + 10_000);

async function textOf(kept: KeptTexts, root: string, path: string, more = {}): Promise<string> {
  const read = await kept.read(root, { path, ...more }, MAX);
  return "failure" in read ? `no text: ${read.failure}` : read.text;
}

it("A file is read again after it was written, replaced or deleted", async () => {
  const root = workspace("//- a.ts\none\n//- b.ts\ntwo\n");
  const kept = keeping();
  const file = join(root, "a.ts");
  utimesSync(file, 1, 1);
  expect(await textOf(kept, root, "a.ts")).toBe("one\n");
  // The change time differs, though the length and the modification time do not.
  writeFileSync(file, "six\n");
  utimesSync(file, 1, 1);
  expect(await textOf(kept, root, "a.ts")).toBe("six\n");
  rmSync(file);
  expect(await textOf(kept, root, "a.ts")).toBe("no text: undefined");
});

it("Nothing outside of the root is read, by a link of a file or of a folder, also after it was kept", async () => {
  const outside = workspace("//- a.ts\noutside\n//- folder/a.ts\noutside\n");
  const root = workspace("//- folder/a.ts\ninside\n");
  const kept = keeping();
  symlinkSync(join(outside, "a.ts"), join(root, "link.ts"));
  expect(await textOf(kept, root, "link.ts")).toBe("no text: unreadable");
  expect(await textOf(kept, root, "folder/a.ts")).toBe("inside\n");
  rmSync(join(root, "folder"), { recursive: true });
  symlinkSync(join(outside, "folder"), join(root, "folder"));
  expect(await textOf(kept, root, "folder/a.ts")).toBe("no text: unreadable");
  expect(await textOf(kept, root, "../a.ts")).toMatch(/^no text/);
});

it("Large files, folders and binary files have no text", async () => {
  const root = workspace(`//- large.ts\n${"x".repeat(MAX)}\n`);
  writeFileSync(join(root, "binary.ts"), Buffer.from([0, 1, 2, 3, 0, 255]));
  mkdirSync(join(root, "folder"));
  const kept = keeping();
  expect(await textOf(kept, root, "large.ts")).toBe("no text: too large");
  expect(await textOf(kept, root, "binary.ts")).toBe("no text: unreadable");
  expect(await textOf(kept, root, "folder")).toBe("no text: unreadable");
  expect(await textOf(kept, root, "new.ts", { text: "x".repeat(MAX + 1) })).toBe(
    "no text: too large",
  );
});

it("Lines end with a line feed, and unsaved text comes before the file", async () => {
  const root = workspace("//- a.ts\none\r\ntwo\rthree\n");
  const kept = keeping();
  expect(await textOf(kept, root, "a.ts")).toBe("one\ntwo\nthree\n");
  expect(await textOf(kept, root, "a.ts", { text: "new\r\n" })).toBe("new\n");
});

it("An unchanged file is read once, unless its encoding is another", async () => {
  const root = workspace("//- a.ts\none\n");
  const kept = keeping();
  const read = (encoding?: string) => kept.read(root, { path: "a.ts", encoding }, MAX);
  const first = await read();
  expect(await read()).toBe(first);
  expect(await read("windows-1251")).not.toBe(first);
});

it("Trigrams that a text does not have are refused from the second question on, also after a change", async () => {
  const root = workspace("//- a.ts\none two\n");
  const kept = keeping();
  const has = async (text: string) => {
    const read = await kept.read(root, { path: "a.ts" }, MAX);
    return "failure" in read ? undefined : read.mayHave(trigramsOf(text));
  };
  expect([await has("six"), await has("six"), await has("two")]).toEqual([true, false, true]);
  writeFileSync(join(root, "a.ts"), "six\n");
  expect([await has("two"), await has("two"), await has("six")]).toEqual([true, false, true]);
});
