/** A workspace's own file of settings: read where it is a file of sensible size, and refused with a reason elsewhere. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { settingsOf } from "../../server/engine/folder-settings.ts";
import { workspace } from "../support/workspace.ts";

it("reads the file, and the user's settings hold over it", async () => {
  const root = workspace("//- cocosearch.yaml\nindexing:\n  chunkSize: 900\n  chunkOverlap: 100\n");
  const { settings, problems, hasFile } = await settingsOf(root, { "indexing.chunkOverlap": 50 });
  expect([settings["indexing.chunkSize"], settings["indexing.chunkOverlap"]]).toEqual([900, 50]);
  expect({ problems, hasFile }).toEqual({ problems: [], hasFile: true });
});

it("says of a file that is too large that it is", async () => {
  const root = workspace("//- a.py\n1\n");
  const long = `# ${"long ".repeat(40_000)}\nindexing:\n  chunkSize: 900\n`;
  writeFileSync(join(root, "cocosearch.yaml"), long);
  const { settings, problems } = await settingsOf(root, {});
  expect(settings["indexing.chunkSize"]).toBe(1500);
  expect(problems.join()).toContain("larger than 100 kB");
});

it("knows that there is none", async () => {
  const { problems, hasFile } = await settingsOf(workspace("//- a.py\n1\n"), {});
  expect({ problems, hasFile }).toEqual({ problems: [], hasFile: false });
});
