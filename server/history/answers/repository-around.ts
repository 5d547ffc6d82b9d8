/** Finds the innermost repository around a file of an index: a submodule has its own history. */

import { dirname, join } from "node:path";
import { lstatIfExists } from "../../common/read-file.ts";
import type { OpenRepository } from "../open-repository.ts";
import { PatchReader } from "../patch-reader.ts";
import type { HistoryIndex } from "./context.ts";

export interface RepositoryAround {
  readonly opened: OpenRepository;
  readonly patches: PatchReader;
  /** Relative to the repository. */
  readonly path: string;
}

/** `path` is relative to the index. Rejects with NoHistory outside a repository. */
export async function withRepositoryAround<T>(
  { root, history }: Pick<HistoryIndex, "root" | "history">,
  path: string,
  use: (around: RepositoryAround) => Promise<T>,
): Promise<T> {
  const nested = await nestedRepository(root, path);
  if (nested === undefined) {
    const opened = await history.reader.repository();
    const { prefix } = opened.repository;
    return await use({ opened, patches: history.reader.patches, path: `${prefix}${path}` });
  }
  const opened = await history.openNested(join(root, nested));
  const patches = new PatchReader();
  try {
    return await use({ opened, patches, path: path.slice(nested.length + 1) });
  } finally {
    patches.close();
  }
}

/** The nearest folder below the root that contains the file and has its own repository. */
async function nestedRepository(root: string, path: string): Promise<string | undefined> {
  for (let at = dirname(path); at !== "."; at = dirname(at)) {
    const dot = await lstatIfExists(join(root, at, ".git"));
    // git ignores a `.git` folder without HEAD.
    if (dot?.isDirectory() === true && !(await lstatIfExists(join(root, at, ".git/HEAD"))))
      continue;
    if (dot !== undefined) return at;
  }
  return undefined;
}
