/** The choice of the index for an opened folder. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { locateIndex } from "../../../server/engine/indexes/locate-index.ts";
import { git } from "../../support/git.ts";
import { workspace } from "../../support/workspace.ts";

const FILES = "//- src/a.py\n1\n//- build/b.py\n1\n//- .gitignore\nbuild/\n";

interface Options {
  readonly files?: string;
  readonly user?: Parameters<typeof locateIndex>[1];
  /** The indexed folders, relative to the repository. */
  readonly known?: readonly string[];
}

/** The root of the chosen index, relative to the repository. */
async function locate(
  folder: string,
  { files = FILES, user = {}, known = [""] }: Options = {},
): Promise<string> {
  const top = workspace(files);
  git(top, "init", "-q");
  const roots = known.map((path) => join(top, path, "."));
  const isKnown = async (root: string) => roots.includes(root);
  const { root } = await locateIndex(join(top, folder), user, isKnown);
  return root.slice(top.length + 1);
}

it("A folder uses the parent's index if that is indexed", async () =>
  expect(await locate("src")).toBe(""));
it("A folder has its own index if the parent is not indexed", async () =>
  expect(await locate("src", { known: [] })).toBe("src"));
it("A folder has its own index if the parent excludes it", async () =>
  expect(await locate("build")).toBe("build"));
it("A folder has its own index if it has a settings file", async () => {
  const files = `${FILES}//- src/cocosearch.yaml\nindexing:\n  chunkSize: 900\n`;
  expect(await locate("src", { files })).toBe("src");
});
it("A folder has its own index if the user names it", async () =>
  expect(await locate("src", { user: { indexName: "mine" } })).toBe("src"));
it("The top of the repository has its own index", async () => expect(await locate("")).toBe(""));
