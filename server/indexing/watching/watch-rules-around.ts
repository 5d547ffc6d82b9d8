/** Tells when ignore rules change that are not below the root: the repository's own, and those of folders above. */

import { type FSWatcher, lstatSync, watch } from "node:fs";
import { isSystemError, messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { ruleFoldersAround } from "../ignore/ignore-sources.ts";
import type { Subscription } from "./watch-folders.ts";

/** Writing a file is several events within some milliseconds. */
const QUIET_MS = 50;

/** A folder that cannot be watched is left out: from time to time rules are read again anyway. */
export function watchRulesAround(root: string, changed: () => void, log: Log): Subscription {
  let timer: NodeJS.Timeout | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(changed, QUIET_MS).unref();
  };
  const watchers: FSWatcher[] = [];
  for (const { folder, names } of ruleFoldersAround(root)) {
    try {
      // A link may lead anywhere.
      if (!lstatSync(folder).isDirectory()) continue;
      // The folder and not the file: a file that is replaced by a new one would be watched no longer.
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || names.includes(name)) soon();
      });
      watcher.on("error", (error) => {
        log.debug("ignore rules are not watched any more", { folder, error: error.message });
      });
      watchers.push(watcher);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      log.debug("ignore rules are not watched", { folder, error: messageOf(error) });
    }
  }
  return {
    unsubscribe: async () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
