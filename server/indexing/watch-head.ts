/** Tells when another branch or commit is checked out. */

import watcher from "@parcel/watcher";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { gitFolder, headLine } from "./git-head.ts";

/** What of git's folder changes all the time, and is never HEAD. */
const NOT_HEAD = "objects logs refs hooks lfs modules info worktrees".split(" ");

/** Undefined outside of a repository, or where it cannot be watched. */
export async function watchHead(
  root: string,
  switched: () => void,
  log: Log,
): Promise<watcher.AsyncSubscription | undefined> {
  const git = await gitFolder(root);
  if (git === undefined) return undefined;
  let head = await headLine(git);
  const look = async () => {
    const now = await headLine(git);
    if (now === undefined || now === head) return;
    head = now;
    switched();
  };
  try {
    return await watcher.subscribe(git, () => void look(), { ignore: NOT_HEAD });
  } catch (error) {
    log.warn("HEAD is not watched", { root, error: messageOf(error) });
    return undefined;
  }
}
