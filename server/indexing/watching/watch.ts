/** Watches the files of a workspace on disk: reports changed paths in batches, and a branch switch as one change. */

import { existsSync } from "node:fs";
import { relative, sep } from "node:path";
import watcher from "@parcel/watcher";
import { isErrorCode, messageOf, trySystemCallSync } from "../../common/errors.ts";
import { isOnLocalDisk } from "../../common/local-disk.ts";
import type { Log } from "../../common/log.ts";
import { SerialQueue } from "../../common/serial-queue.ts";
import { FolderListings } from "../discovery/folder-listings.ts";
import type { IgnoreRules } from "../ignore/ignore-rules.ts";
import { poll } from "./poll.ts";
import { watchIdentity } from "./root-identity.ts";
import { Surroundings, unsubscribe } from "./surroundings.ts";
import { unwatchedFolders } from "./unwatched-folders.ts";
import { type Hear, type Subscription, watchFolders } from "./watch-folders.ts";

export type WatchedChange =
  /** Paths, relative to the root, of files and folders that were created, changed or deleted. */
  | { readonly kind: "paths"; readonly paths: readonly string[] }
  /** Anything may have changed: ignore rules changed, another commit was checked out, or events were lost. */
  | { readonly kind: "all" }
  /** HEAD is another commit; the files are unchanged. */
  | { readonly kind: "commit" };

export interface Watching {
  /** Subscribes again. Changes in between are not reported. */
  renew(): Promise<void>;
  /**
   * Reports pending changes at once. False if changes may be missing: the folder is polled, the platform cannot flush
   * events, or the disk is not local.
   */
  catchUp(): Promise<boolean>;
  /** Reports changes without events that reconciliation found. */
  missed(paths: readonly string[]): void;
  dispose(): Promise<void>;
}

export type Subscribe = (
  root: string,
  rules: IgnoreRules,
  hear: Hear,
  listings: FolderListings,
) => Promise<Subscription>;

interface Options {
  /** Receives the folder listings of the watcher. */
  readonly listings?: FolderListings;
  readonly subscribe?: Subscribe;
  readonly pollMs?: number;
  readonly identityMs?: number;
}

/** Poll interval if the system cannot watch the folder. */
const POLL_MS = 10_000;

/** Interval of the check whether the root was replaced: two `stat` calls, about 50 µs. */
const IDENTITY_MS = 2_000;

/** Linux and the BSDs watch single folders; macOS and Windows watch whole trees. */
const subscribeHere: Subscribe =
  process.platform === "darwin" || process.platform === "win32" ? watchTree : watchFolders;

/** One recursive watch of the system. */
async function watchTree(root: string, rules: IgnoreRules, hear: Hear): Promise<Subscription> {
  const ignore = await unwatchedFolders(root, rules);
  const inside = ({ path }: watcher.Event) => relative(root, path).replaceAll(sep, "/");
  const report: watcher.SubscribeCallback = (error, events) => {
    const paths = events.map(inside);
    // A folder that was moved in may have its own ignore files.
    rules.refresh(new Set(paths));
    hear(error, paths);
  };
  return await watcher.subscribe(root, report, { ignore });
}

/** Resolves when the watches are set; later changes are reported. */
export async function watch(
  root: string,
  rules: IgnoreRules,
  onChange: (change: WatchedChange) => void,
  log: Log,
  options: Options = {},
): Promise<Watching> {
  const { subscribe = subscribeHere, listings = new FolderListings() } = options;
  const { pollMs = POLL_MS, identityMs = IDENTITY_MS } = options;
  const files = new WatchedFiles({ root, rules, onChange, log, subscribe, pollMs, listings });
  const listener = {
    switched: () => onChange({ kind: "all" }),
    committed: () => onChange({ kind: "commit" }),
  };
  const surroundings = new Surroundings(root, log);
  const queue = new SerialQueue();
  const renew = async () => {
    await surroundings.unsubscribe();
    await surroundings.watchRules(() => void files.startAfresh());
    await files.start();
    await surroundings.watchHead(listener);
  };
  const renewAll = async () => {
    await renew();
    listener.switched();
  };
  const isLost = async () => files.isLost || (await surroundings.isHeadLost());
  const identity = await watchIdentity(root, identityMs, {
    isLost,
    changed: () => queue.run(renewAll),
    failed: (error) => log.warn("cannot check the root folder", { root, error: messageOf(error) }),
  });
  await queue.run(renew);
  return {
    renew: () => queue.run(renew),
    missed: (paths) => {
      const [example] = paths;
      log.warn("found changes without events", { root, count: paths.length, example });
      files.report(paths);
      void queue.run(renewAll);
    },
    catchUp: async () => {
      await identity.check();
      return await files.flush();
    },
    dispose: async () => {
      identity.stop();
      await queue.run(() => Promise.all([files.dispose(), surroundings.unsubscribe()]));
    },
  };
}

interface FilesOptions extends Required<Omit<Options, "identityMs">> {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly log: Log;
  onChange(change: WatchedChange): void;
}

/** The subscription to the files of the root. Renewed when rules change or events were lost; polls if the system cannot watch. */
class WatchedFiles {
  readonly #options: FilesOptions;
  readonly #disposed = new AbortController();
  #subscription: Subscription | undefined;
  #isPolling = false;
  #isLost = false;
  /** Serializes renewals: a subscription must not be replaced while it is being made. */
  #renewal: Promise<void> = Promise.resolve();
  #isRenewalDue = false;

  constructor(options: FilesOptions) {
    this.#options = options;
  }

  /** Whether the root did not exist at the last attempt to watch it. */
  get isLost(): boolean {
    return this.#isLost;
  }

  start(): Promise<void> {
    this.#renewal = this.#renewal.then(() => this.#renew());
    return this.#renewal;
  }

  async dispose(): Promise<void> {
    this.#disposed.abort();
    await this.start();
  }

  async #renew(): Promise<void> {
    const { root, rules, log, subscribe, listings } = this.#options;
    // Ignore files may have changed without an event.
    rules.refresh();
    await unsubscribe(this.#subscription, root, log);
    this.#subscription = undefined;
    this.#isLost = false;
    // If the system has no free watches, another attempt would take watches from other programs.
    if (this.#disposed.signal.aborted || this.#isPolling) return;
    try {
      const hear: Hear = (...heard) => this.#hear(...heard);
      this.#subscription = await subscribe(root, rules, hear, listings);
    } catch (error) {
      // The identity check watches the root again when it is back.
      if (isErrorCode(error, "ENOENT") || !existsSync(root)) {
        this.#isLost = true;
        return;
      }
      const reason = messageOf(error);
      log.warn("cannot watch the folder, polling its files instead", {
        root,
        reason,
      });
      this.#poll();
    }
  }

  /** Reports pending changes. Resolves to false if some may be missing. */
  async flush(): Promise<boolean> {
    const subscription = this.#subscription;
    if (subscription?.flush === undefined || !(await isOnLocalDisk(this.#options.root)))
      return false;
    await subscription.flush();
    await this.#renewal;
    return !this.#isLost && this.#subscription !== undefined;
  }

  #poll(): void {
    const { root, rules, log, pollMs } = this.#options;
    this.#isPolling = true;
    void poll(root, rules, (paths) => this.report(paths), {
      everyMs: pollMs,
      signal: this.#disposed.signal,
      log,
    });
  }

  #hear(error: Error | null, heard: readonly string[]): void {
    const { root, rules, log } = this.#options;
    if (error) {
      log.warn("events were lost", { root, error: messageOf(error) });
      void this.startAfresh();
      return;
    }
    const paths = heard.filter((path) => isWatched(rules, path));
    if (paths.length > 0) this.report(paths);
  }

  report(paths: readonly string[]): void {
    const { rules, onChange } = this.#options;
    if (this.#disposed.signal.aborted) return;
    if (!paths.some((path) => rules.isIgnoreFile(path))) {
      onChange({ kind: "paths", paths });
      return;
    }
    // Other folders may be included or excluded now, so the watches must be set again.
    void this.startAfresh();
  }

  /** Subscribes again and reports that anything may have changed, because events in between are lost. */
  async startAfresh(): Promise<void> {
    // A queued renewal that has not begun also covers this change.
    if (this.#isRenewalDue) return;
    this.#isRenewalDue = true;
    this.#renewal = this.#renewal.then(() => {
      this.#isRenewalDue = false;
      return this.#renew();
    });
    await this.#renewal;
    if (!this.#disposed.signal.aborted) this.#options.onChange({ kind: "all" });
  }
}

/** Excluded paths are not reported, except ignore files. */
function isWatched(rules: IgnoreRules, path: string): boolean {
  if (path === "") return false;
  const isIndexed = () => rules.isIgnoreFile(path) || rules.decide(path, "file") === undefined;
  // If the rules cannot be read now, the pass decides again.
  return trySystemCallSync(isIndexed) ?? true;
}
