/** Folders are listed as the system lists them, and in slices. */

import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { createFolderReader } from "../../server/common/folder-reader.ts";
import { workspace } from "../support/workspace.ts";

const TREE = `
//- a.ts
one
//- folder/b.ts
two
`;

it("lists a folder of the tree, and the tree itself", async () => {
  const root = workspace(TREE);
  const read = createFolderReader(root);
  for (const folder of ["", "folder"]) {
    const entries = await read(folder);
    expect(entries.map(({ name }) => name)).toEqual(readdirSync(`${root}/${folder}`));
  }
  const kinds = (await read("")).map((entry) => [entry.name, entry.isDirectory()]);
  expect(kinds.toSorted()).toEqual([
    ["a.ts", false],
    ["folder", true],
  ]);
});

it("says why a folder cannot be listed", async () => {
  const read = createFolderReader(workspace(TREE));
  await expect(read("gone")).rejects.toThrow("ENOENT");
  await expect(read("a.ts")).rejects.toThrow("ENOTDIR");
});

it("lets others have the thread between two slices", async () => {
  // On a busy machine any list may take long, and those after it are not read at once.
  const read = createFolderReader(workspace(TREE), Infinity);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const end = performance.now() + 100;
  while (performance.now() < end) await read("folder");
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
});
