/** Watches HEAD and the ignore files outside the root of a workspace. */

import { type FSWatcher, lstatSync, watch } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isSystemError, messageOf } from "../../common/errors.ts";
import { gitFolder, headLine, readHead } from "../../common/git-head.ts";
import type { Log } from "../../common/log.ts";
import { outerRuleFolders } from "../ignore/ignore-sources.ts";
import type { Subscription } from "./watch-folders.ts";

export class Surroundings {
  readonly #root: string;
  readonly #log: Log;
  #rules: Subscription | undefined;
  #head: Subscription | undefined;

  constructor(root: string, log: Log) {
    this.#root = root;
    this.#log = log;
  }

  /** Whether HEAD exists and is not watched. */
  async isHeadLost(): Promise<boolean> {
    return this.#head === undefined && (await gitFolder(this.#root)) !== undefined;
  }

  async watchRules(changed: () => void): Promise<void> {
    this.#rules = await this.#watch(() => watchOuterRules(this.#root, changed, this.#log));
  }

  async watchHead(listener: HeadListener): Promise<void> {
    this.#head = await this.#watch(() => watchHead(this.#root, listener, this.#log));
  }

  async unsubscribe(): Promise<void> {
    const both = [this.#head, this.#rules];
    await Promise.all(both.map((each) => unsubscribe(each, this.#root, this.#log)));
    [this.#head, this.#rules] = [undefined, undefined];
  }

  async #watch(
    subscribe: () => Subscription | undefined | Promise<Subscription | undefined>,
  ): Promise<Subscription | undefined> {
    try {
      return await subscribe();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      const fields = { root: this.#root, error: messageOf(error) };
      this.#log.warn("HEAD and rules are not watched yet", fields);
      return undefined;
    }
  }
}

/** Ignores errors: the system has already removed the watches of a deleted folder. */
export async function unsubscribe(
  subscription: Subscription | undefined,
  root: string,
  log: Log,
): Promise<void> {
  try {
    await subscription?.unsubscribe();
  } catch (error) {
    log.debug("a watch was gone before it was removed", { root, reason: messageOf(error) });
  }
}

/** Debounce: writing a file raises several events within some milliseconds. */
const DEBOUNCE_MS = 50;

/**
 * Watches ignore files outside the root: in the repository and in folders above the root. Skips folders that cannot be watched:
 * reconciliation reads their rules again.
 */
function watchOuterRules(root: string, changed: () => void, log: Log): Subscription {
  let timer: NodeJS.Timeout | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(changed, DEBOUNCE_MS).unref();
  };
  const watchers: FSWatcher[] = [];
  for (const { folder, names } of outerRuleFolders(root)) {
    try {
      // Links are not followed, they may lead anywhere.
      if (!lstatSync(folder).isDirectory()) continue;
      // Watches the folder, because a watch on a file ends when the file is replaced.
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || names.includes(name)) soon();
      });
      watcher.on("error", (error) => {
        log.debug("lost the watch of ignore rules", { folder, error: error.message });
      });
      watchers.push(watcher);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      log.debug("cannot watch ignore rules", { folder, error: messageOf(error) });
    }
  }
  return {
    unsubscribe: async () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Delay before HEAD is read after an event: git writes its index, which is watched, before the branch, which is not. */
const COMMIT_MS = 300;

interface HeadListener {
  /** Another branch or commit was checked out; files may differ. */
  switched(): void;
  /** HEAD is another commit; the files are unchanged. */
  committed(): void;
}

/**
 * Watches HEAD for branch switches and new commits. Undefined outside of a repository. Throws if the git folder cannot be read.
 */
async function watchHead(
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
