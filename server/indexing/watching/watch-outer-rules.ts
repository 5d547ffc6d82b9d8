/** Watches ignore files outside the root: in the repository and in folders above the root. */

import { type FSWatcher, lstatSync, watch } from "node:fs";
import { isSystemError, messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { outerRuleFolders } from "../ignore/ignore-sources.ts";
import type { Subscription } from "./watch-folders.ts";

/** Debounce: writing a file raises several events within some milliseconds. */
const DEBOUNCE_MS = 50;

/** Skips folders that cannot be watched: reconciliation reads their rules again. */
export function watchOuterRules(root: string, changed: () => void, log: Log): Subscription {
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
