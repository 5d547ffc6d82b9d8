/** Tells when another branch or commit is checked out, and when something was committed. */

import { watch } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { gitFolder, headLine, readHead } from "./git-head.ts";
import type { Subscription } from "./watch-folders.ts";

/** Git writes its index before the branch, and the branch is not watched: it has a folder of thousands in some repositories. */
const COMMIT_MS = 300;

export interface HeadListener {
  /** Files may be others now. */
  switched(): void;
  /** Files are the same; the commit is another. */
  committed(): void;
}

/** Undefined outside of a repository. Throws if the git folder cannot be read. */
export async function watchHead(
  root: string,
  listener: HeadListener,
  log: Log,
): Promise<Subscription | undefined> {
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
    // Only the folder itself, in which HEAD is.
    const watcher = watch(git, { persistent: false }, lookAgain);
    watcher.on("error", (error) => {
      log.warn("HEAD is not watched any more", { root, error: error.message });
    });
    return { unsubscribe: async () => watcher.close() };
  } catch (error) {
    log.warn("HEAD is not watched", { root, error: messageOf(error) });
    return { unsubscribe: async () => undefined };
  }
}
