/** A workspace's settings file: merged with the user's settings, or rejected with a reason. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { settingsOf } from "../../../server/engine/indexes/folder-settings.ts";
import { workspace } from "../../support/workspace.ts";

it("User settings override the settings file", async () => {
  const root = workspace("//- cocosearch.yaml\nindexing:\n  chunkSize: 900\n  chunkOverlap: 100\n");
  const { settings, problems, hasFile } = await settingsOf(root, { "indexing.chunkOverlap": 50 });
  expect([settings["indexing.chunkSize"], settings["indexing.chunkOverlap"]]).toEqual([900, 50]);
  expect({ problems, hasFile }).toEqual({ problems: [], hasFile: true });
});

it.each([
  { bytes: 100_000, size: 900, problem: "" },
  { bytes: 100_001, size: 1500, problem: "larger than 100 kB" },
])("A file of $bytes bytes gives a chunk size of $size", async ({ bytes, size, problem }) => {
  const root = workspace();
  const text = "indexing:\n  chunkSize: 900\n#";
  writeFileSync(join(root, "cocosearch.yaml"), text.padEnd(bytes, "."));
  const { settings, problems } = await settingsOf(root, {});
  expect(settings["indexing.chunkSize"]).toBe(size);
  expect(problems.map((each) => each.split(": ").at(-1)).join()).toBe(problem);
});

it("A folder without a settings file has no settings and no problems", async () => {
  const { problems, hasFile } = await settingsOf(workspace("//- a.py\n1\n"), {});
  expect({ problems, hasFile }).toEqual({ problems: [], hasFile: false });
});
