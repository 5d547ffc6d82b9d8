/** Reports file changes of a folder to its workspace: from the watcher, and from regular reconciliation with the disk. */

import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { isSettingsFile } from "../../config/settings-files.ts";
import { FolderListings } from "../../indexing/discovery/folder-listings.ts";
import type { IgnoreRules } from "../../indexing/ignore/ignore-rules.ts";
import type { StoredFiles } from "../../indexing/stored-files.ts";
import { Reconciler } from "../../indexing/watching/reconcile.ts";
import { type WatchedChange, type Watching, watch } from "../../indexing/watching/watch.ts";
import type { Workspace } from "../../indexing/workspace.ts";

interface WatchedFolderOptions {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly workspace: Workspace;
  /** Files excluded by a rule, by path. */
  readonly excluded: ReadonlyMap<string, unknown>;
  readonly log: Log;
  /** The stored files while the index is idle; undefined otherwise. */
  idleFiles(): StoredFiles | undefined;
  /** Called when HEAD changed and the files did not. */
  committed(): void;
  /** Called when a settings file may have changed. */
  settingsTouched(): void;
}

export class WatchedFolder {
  /** Folder listings of the watcher, reused by the next pass. */
  readonly listings = new FolderListings();
  readonly #options: WatchedFolderOptions;
  readonly #closing = new AbortController();
  readonly #watching: Promise<Watching | undefined>;

  constructor(options: WatchedFolderOptions) {
    this.#options = options;
    this.#watching = this.#start();
  }

  /** Resolves when the folder is watched or watching has failed. */
  async whenWatched(): Promise<void> {
    await this.#watching;
  }

  /** Restarts the watcher; changes during the restart are not reported. */
  async renew(): Promise<void> {
    try {
      await (await this.#watching)?.renew();
    } catch (error) {
      this.#warn("the watcher was not restarted", error);
    }
  }

  /** Reports changes that the watcher is still debouncing. False if the watcher cannot know them. */
  async catchUp(): Promise<boolean> {
    try {
      return (await (await this.#watching)?.catchUp()) === true;
    } catch (error) {
      this.#warn("pending changes are unknown", error);
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
      // Settings may have been written between their reading and the start of the watcher.
      settingsTouched();
      void this.#reconcile((paths) => watching.missed(paths));
      return watching;
    } catch (error) {
      this.#warn("the folder is not watched", error);
      return undefined;
    }
  }

  /** Compares the stored files with the disk regularly while the index is idle. */
  async #reconcile(missed: (paths: readonly string[]) => void): Promise<void> {
    const { root, rules, workspace, excluded, log, idleFiles } = this.#options;
    const isExcluded = (path: string) => excluded.has(path);
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

function mayBeOfSettings(change: WatchedChange): boolean {
  return change.kind === "all" || (change.kind === "paths" && change.paths.some(isSettingsFile));
}
