/** Recognizes that git is changing the files of a workspace, as a checkout, a pull or a rebase does. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { trySystemCall } from "../common/errors.ts";
import { gitFolder } from "../common/git-head.ts";

/** The watcher reports changes a second after they were made, or later on a busy machine. */
const RECENT_MS = 10_000;

/** Whether git holds the lock of the repository's index, or has written the index a moment ago. */
export async function isGitWriting(root: string): Promise<boolean> {
  const git = await gitFolder(root);
  if (git === undefined) return false;
  if ((await trySystemCall(() => stat(join(git, "index.lock")))) !== undefined) return true;
  const index = await trySystemCall(() => stat(join(git, "index")));
  return index !== undefined && Date.now() - index.mtimeMs < RECENT_MS;
}
