/** Watches a workspace: batches of paths that may have changed, and a switch of branch as a whole. */

import { existsSync } from "node:fs";
import { relative, sep } from "node:path";
import watcher from "@parcel/watcher";
import { isErrorCode, isSystemError, messageOf } from "../../common/errors.ts";
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

export type Change =
  /** Relative paths of files and folders that came, changed or went. */
  | { readonly kind: "paths"; readonly paths: readonly string[] }
  /** Anything may have changed: ignore rules did, another commit was checked out, or events were lost. */
  | { readonly kind: "all" }
  /** The files stay as they are; HEAD is another commit. */
  | { readonly kind: "commit" };

export interface Watching {
  /** Watches again from the start; what changed meanwhile is not told. */
  renew(): Promise<void>;
  /**
   * Tells at once what has changed until now. False where that cannot be known: where the system is not watched or
   * tells late, or the folder is on a disk that others change, too.
   */
  catchUp(): Promise<boolean>;
  /** Takes changes that were found by looking, of which no event told. */
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
  /** Takes what is found in the folders that are watched. */
  readonly listings?: FolderListings;
  readonly subscribe?: Subscribe;
  readonly pollMs?: number;
  readonly identityMs?: number;
}

/** Where the system refuses to watch, every file is looked at this often. */
const POLL_MS = 10_000;

/** How often it is checked that the root is still the folder that is watched: two calls of stat, about 50 µs. */
const IDENTITY_MS = 2_000;

/** The system's watches are of single folders on Linux and the BSDs, and of whole trees elsewhere. */
const subscribeHere: Subscribe =
  process.platform === "darwin" || process.platform === "win32" ? watchTree : watchFolders;

/** One watch of the system for the whole tree. */
async function watchTree(root: string, rules: IgnoreRules, hear: Hear): Promise<Subscription> {
  const ignore = await unwatchedFolders(root, rules);
  const inside = ({ path }: watcher.Event) => relative(root, path).replaceAll(sep, "/");
  const told: watcher.SubscribeCallback = (error, events) => {
    const paths = events.map(inside);
    // A folder that was moved in brings its own rules.
    rules.refresh(new Set(paths));
    hear(error, paths);
  };
  return await watcher.subscribe(root, told, { ignore });
}

/** Resolves when it watches: what changes from then on is told. */
export async function watch(
  root: string,
  rules: IgnoreRules,
  onChange: (change: Change) => void,
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
  const turns = new SerialQueue();
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
    changed: () => turns.run(renewAll),
    failed: (error) => log.warn("the folder was not looked at", { root, error: messageOf(error) }),
  });
  await turns.run(renew);
  return {
    renew: () => turns.run(renew),
    missed: (paths) => {
      const [example] = paths;
      log.warn("changes were missed, and found by looking", { root, count: paths.length, example });
      files.report(paths);
      void turns.run(renewAll);
    },
    catchUp: async () => {
      await identity.look();
      return await files.flush();
    },
    dispose: async () => {
      identity.stop();
      await turns.run(() => Promise.all([files.dispose(), surroundings.unsubscribe()]));
    },
  };
}

interface FilesOptions extends Required<Omit<Options, "identityMs">> {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly log: Log;
  onChange(change: Change): void;
}

/** One subscription, renewed when the rules change or events were lost; polling where none can be had. */
class WatchedFiles {
  readonly #options: FilesOptions;
  readonly #disposed = new AbortController();
  #subscription: Subscription | undefined;
  #isPolling = false;
  #isLost = false;
  /** One renewal after the other: a subscription must not be replaced while it is made. */
  #turn: Promise<void> = Promise.resolve();
  #isRenewalDue = false;

  constructor(options: FilesOptions) {
    this.#options = options;
  }

  /** Whether the root was gone when it was to be watched; it may be back, and the same folder as before. */
  get isLost(): boolean {
    return this.#isLost;
  }

  start(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#renew());
    return this.#turn;
  }

  async dispose(): Promise<void> {
    this.#disposed.abort();
    await this.start();
  }

  async #renew(): Promise<void> {
    const { root, rules, log, subscribe, listings } = this.#options;
    // What changed while nothing was watched was not told.
    rules.refresh();
    await unsubscribe(this.#subscription, root, log);
    this.#subscription = undefined;
    this.#isLost = false;
    // Where the system has no more watches, trying would take them from other programs.
    if (this.#disposed.signal.aborted || this.#isPolling) return;
    try {
      const hear: Hear = (...heard) => this.#hear(...heard);
      this.#subscription = await subscribe(root, rules, hear, listings);
    } catch (error) {
      // It is watched again when it is back, which it may be by now.
      if (isErrorCode(error, "ENOENT") || !existsSync(root)) {
        this.#isLost = true;
        return;
      }
      const reason = messageOf(error);
      log.warn("the folder cannot be watched; its files are looked at now and then", {
        root,
        reason,
      });
      this.#poll();
    }
  }

  /** Resolves when all that has changed by now was told; to false where it may not have been. */
  async flush(): Promise<boolean> {
    const subscription = this.#subscription;
    if (subscription?.flush === undefined || !(await isOnLocalDisk(this.#options.root)))
      return false;
    await subscription.flush();
    await this.#turn;
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
    // A folder that is brought back must be watched, and one that is left out no longer.
    void this.startAfresh();
  }

  /** What changes between two subscriptions is not told, so that all counts as changed. */
  async startAfresh(): Promise<void> {
    // One that has not begun yet sees what this one would.
    if (this.#isRenewalDue) return;
    this.#isRenewalDue = true;
    this.#turn = this.#turn.then(() => {
      this.#isRenewalDue = false;
      return this.#renew();
    });
    await this.#turn;
    if (!this.#disposed.signal.aborted) this.#options.onChange({ kind: "all" });
  }
}

/** Paths that a rule excludes are not reported, unless they are rules themselves. */
function isWatched(rules: IgnoreRules, path: string): boolean {
  if (path === "") return false;
  try {
    return rules.isIgnoreFile(path) || rules.decide(path, "file") === undefined;
  } catch (error) {
    // The rules cannot be read now; the pass decides again.
    if (isSystemError(error)) return true;
    throw error;
  }
}
