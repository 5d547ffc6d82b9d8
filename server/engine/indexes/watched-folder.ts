/** Keeps a workspace told of what changes in its folder: by the system's watches, and by looking now and then. */

import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { isSettingsFile } from "../../config/settings-files.ts";
import { FolderListings } from "../../indexing/discovery/folder-listings.ts";
import type { IgnoreRules } from "../../indexing/ignore/ignore-rules.ts";
import type { StoredFiles } from "../../indexing/stored-files.ts";
import { Reconciler } from "../../indexing/watching/reconcile.ts";
import { type Change, type Watching, watch } from "../../indexing/watching/watch.ts";
import type { Workspace } from "../../indexing/workspace.ts";

interface WatchedFolderOptions {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly workspace: Workspace;
  readonly log: Log;
  /** What is stored, while nothing is left to do; undefined at other times. */
  idleFiles(): StoredFiles | undefined;
  /** HEAD is another commit, and the files are as they were. */
  committed(): void;
  /** What a settings file says may be new. */
  settingsTouched(): void;
}

export class WatchedFolder {
  /** For the pass that follows the first watches, or renewed ones. */
  readonly listings = new FolderListings();
  readonly #options: WatchedFolderOptions;
  readonly #closing = new AbortController();
  readonly #watching: Promise<Watching | undefined>;

  constructor(options: WatchedFolderOptions) {
    this.#options = options;
    this.#watching = this.#start();
  }

  /** Resolves when it is watched, or when it is known that it cannot be. */
  async whenWatched(): Promise<void> {
    await this.#watching;
  }

  /** Watches again from the start; what changed meanwhile is not told. */
  async renew(): Promise<void> {
    try {
      await (await this.#watching)?.renew();
    } catch (error) {
      this.#warn("the folder is not watched again", error);
    }
  }

  /** Tells at once what has changed by now, of which watches tell a moment late. False where that cannot be known. */
  async catchUp(): Promise<boolean> {
    try {
      return (await (await this.#watching)?.catchUp()) === true;
    } catch (error) {
      this.#warn("what has changed is not known", error);
      return false;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await (await this.#watching)?.dispose();
  }

  async #start(): Promise<Watching | undefined> {
    const { root, rules, workspace, log, committed, settingsTouched } = this.#options;
    const { listings } = this;
    try {
      const watching = await watch(
        root,
        rules,
        (change) => {
          if (mayBeOfSettings(change)) settingsTouched();
          if (change.kind === "paths") workspace.touch(change.paths);
          else if (change.kind === "all") workspace.refresh();
          else committed();
        },
        log,
        { listings },
      );
      // They may have been written after they were read, and before the folder was watched.
      settingsTouched();
      void this.#reconcile((paths) => watching.missed(paths));
      return watching;
    } catch (error) {
      this.#warn("the folder is not watched", error);
      return undefined;
    }
  }

  /** Compares what is stored with the disk now and then, while there is nothing to do. */
  async #reconcile(missed: (paths: readonly string[]) => void): Promise<void> {
    const { root, rules, workspace, log, idleFiles } = this.#options;
    const isExcluded = (path: string) => workspace.excluded.has(path);
    const unproven = (paths: readonly string[]) => workspace.touch(paths);
    const options = { root, rules, log, idleFiles, isExcluded, missed, unproven };
    const reconciler = new Reconciler(options);
    await reconciler.run(this.#closing.signal);
  }

  #warn(what: string, error: unknown): void {
    const { log, root } = this.#options;
    log.warn(what, { root, error: messageOf(error) });
  }
}

function mayBeOfSettings(change: Change): boolean {
  return change.kind === "all" || (change.kind === "paths" && change.paths.some(isSettingsFile));
}
