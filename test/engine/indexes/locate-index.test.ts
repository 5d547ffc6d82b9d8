/** Which index an opened folder belongs to. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { locateIndex } from "../../../server/engine/indexes/locate-index.ts";
import { git } from "../../support/git.ts";
import { workspace } from "../../support/workspace.ts";

const FILES = "//- src/a.py\n1\n//- build/b.py\n1\n//- .gitignore\nbuild/\n";

/** The index of a folder below the top of a repository, as a path from there. */
async function locate(
  folder: string,
  { files = FILES, user = {}, known = [""] }: Partial<Parameters<typeof opened>[0]> = {},
): Promise<string> {
  return await opened({ folder, files, user, known });
}

async function opened({
  folder,
  files,
  user,
  known,
}: {
  folder: string;
  files: string;
  user: Parameters<typeof locateIndex>[1];
  known: readonly string[];
}): Promise<string> {
  const top = workspace(files);
  git(top, "init", "-q");
  const roots = known.map((path) => join(top, path, "."));
  const isKnown = async (root: string) => roots.includes(root);
  const { root } = await locateIndex(join(top, folder), user, isKnown);
  return root.slice(top.length + 1);
}

it("is that of the folder above, where it is indexed", async () =>
  expect(await locate("src")).toBe(""));
it("is its own where the folder above is not indexed", async () =>
  expect(await locate("src", { known: [] })).toBe("src"));
it("is its own where the folder above leaves it out", async () =>
  expect(await locate("build")).toBe("build"));
it("is its own where it has settings, though no name", async () => {
  const files = `${FILES}//- src/cocosearch.yaml\nindexing:\n  chunkSize: 900\n`;
  expect(await locate("src", { files })).toBe("src");
});
it("is its own where the user gives it a name, though it has no settings", async () =>
  expect(await locate("src", { user: { indexName: "mine" } })).toBe("src"));
it("is that of the top where nothing is above", async () => expect(await locate("")).toBe(""));
