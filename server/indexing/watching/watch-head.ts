/** Tells when another branch or commit is checked out, and when something was committed. */

import { setTimeout as delay } from "node:timers/promises";
import watcher from "@parcel/watcher";
import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { gitFolder, headLine, readHead } from "./git-head.ts";

/** What of git's folder changes all the time, and is never HEAD. */
const NOT_HEAD = "objects logs refs hooks lfs modules info worktrees".split(" ");

/** Git writes its index before the branch, and the branch is not watched: it has a folder of thousands in some repositories. */
const COMMIT_MS = 300;

export interface HeadListener {
  /** Files may be others now. */
  switched(): void;
  /** Files are the same; the commit is another. */
  committed(): void;
}

/** Undefined outside of a repository, or where it cannot be watched. */
export async function watchHead(
  root: string,
  listener: HeadListener,
  log: Log,
): Promise<watcher.AsyncSubscription | undefined> {
  const git = await gitFolder(root);
  if (git === undefined) return undefined;
  let line = await headLine(git);
  let { commit } = await readHead(root);
  let isLooking = false;
  const look = async () => {
    const now = await headLine(git);
    if (now !== undefined && now !== line) {
      line = now;
      commit = (await readHead(root)).commit;
      listener.switched();
      return;
    }
    if (isLooking) return;
    isLooking = true;
    await delay(COMMIT_MS, undefined, { ref: false });
    isLooking = false;
    const head = await readHead(root);
    if (head.commit === undefined || head.commit === commit) return;
    commit = head.commit;
    listener.committed();
  };
  const lookAgain = () => {
    look().catch((error: unknown) => {
      log.debug("HEAD was not read", { root, reason: messageOf(error) });
    });
  };
  try {
    return await watcher.subscribe(git, lookAgain, { ignore: NOT_HEAD });
  } catch (error) {
    log.warn("HEAD is not watched", { root, error: messageOf(error) });
    return undefined;
  }
}
