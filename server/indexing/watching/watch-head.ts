/** Watches HEAD: reports branch switches and new commits. */

import { watch } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../../common/errors.ts";
import { gitFolder, headLine, readHead } from "../../common/git-head.ts";
import type { Log } from "../../common/log.ts";
import type { Subscription } from "./watch-folders.ts";

/** Delay before HEAD is read after an event: git writes its index, which is watched, before the branch, which is not. */
const COMMIT_MS = 300;

export interface HeadListener {
  /** Another branch or commit was checked out; files may differ. */
  switched(): void;
  /** HEAD is another commit; the files are unchanged. */
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
  let isChecking = false;
  const check = async () => {
    const now = await headLine(git);
    if (now !== undefined && now !== line) {
      line = now;
      commit = (await readHead(root)).commit;
      listener.switched();
      return;
    }
    if (isChecking) return;
    isChecking = true;
    await delay(COMMIT_MS, undefined, { ref: false });
    isChecking = false;
    const head = await readHead(root);
    if (head.commit === undefined || head.commit === commit) return;
    commit = head.commit;
    listener.committed();
  };
  const onEvent = () => {
    check().catch((error: unknown) => {
      log.debug("cannot read HEAD", { root, reason: messageOf(error) });
    });
  };
  try {
    // Not recursive: HEAD is in this folder.
    const watcher = watch(git, { persistent: false }, onEvent);
    watcher.on("error", (error) => {
      log.warn("lost the watch of HEAD", { root, error: error.message });
    });
    return { unsubscribe: async () => watcher.close() };
  } catch (error) {
    log.warn("cannot watch HEAD", { root, error: messageOf(error) });
    return { unsubscribe: async () => undefined };
  }
}
