/** Watches a workspace: batches of paths that may have changed, and a switch of branch as a whole. */

import { relative, sep } from "node:path";
import watcher from "@parcel/watcher";
import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { IgnoreRules } from "../ignore/ignore-rules.ts";
import { poll } from "./poll.ts";
import { unwatchedFolders } from "./unwatched-folders.ts";
import { watchHead } from "./watch-head.ts";

export type Change =
  /** Relative paths of files and folders that came, changed or went. */
  | { readonly kind: "paths"; readonly paths: readonly string[] }
  /** Anything may have changed: ignore rules did, another commit was checked out, or events were lost. */
  | { readonly kind: "all" }
  /** The files stay as they are; HEAD is another commit. */
  | { readonly kind: "commit" };

export interface Watching {
  dispose(): Promise<void>;
}

interface Options {
  readonly subscribe?: typeof watcher.subscribe;
  readonly pollMs?: number;
}

/** Where the system refuses to watch, every file is looked at this often. */
const POLL_MS = 10_000;

/** Resolves when it watches: what changes from then on is told. */
export async function watch(
  root: string,
  rules: IgnoreRules,
  onChange: (change: Change) => void,
  log: Log,
  { subscribe = watcher.subscribe, pollMs = POLL_MS }: Options = {},
): Promise<Watching> {
  const files = new WatchedFiles({ root, rules, onChange, log, subscribe, pollMs });
  await files.start();
  const listener = {
    switched: () => onChange({ kind: "all" }),
    committed: () => onChange({ kind: "commit" }),
  };
  const head = await watchHead(root, listener, log);
  return {
    dispose: async () => {
      await Promise.all([files.dispose(), unsubscribe(head, root, log)]);
    },
  };
}

/** The system forgets the watches of a folder that is deleted; that they are gone already is no failure. */
async function unsubscribe(
  subscription: watcher.AsyncSubscription | undefined,
  root: string,
  log: Log,
): Promise<void> {
  try {
    await subscription?.unsubscribe();
  } catch (error) {
    log.debug("a watch was gone before it was removed", { root, reason: messageOf(error) });
  }
}

interface FilesOptions extends Required<Options> {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly log: Log;
  onChange(change: Change): void;
}

/** One subscription, renewed when the rules change or events were lost; polling where none can be had. */
class WatchedFiles {
  readonly #options: FilesOptions;
  readonly #disposed = new AbortController();
  #subscription: watcher.AsyncSubscription | undefined;
  #isPolling = false;
  /** One renewal after the other: a subscription must not be replaced while it is made. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: FilesOptions) {
    this.#options = options;
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
    const { root, rules, log, subscribe } = this.#options;
    await unsubscribe(this.#subscription, root, log);
    this.#subscription = undefined;
    if (this.#disposed.signal.aborted || this.#isPolling) return;
    try {
      const ignore = await unwatchedFolders(root, rules);
      this.#subscription = await subscribe(root, (...heard) => this.#hear(...heard), { ignore });
    } catch (error) {
      const reason = messageOf(error);
      log.warn("the folder cannot be watched; its files are looked at now and then", {
        root,
        reason,
      });
      this.#poll();
    }
  }

  #poll(): void {
    const { root, rules, log, pollMs } = this.#options;
    this.#isPolling = true;
    void poll(root, rules, (paths) => this.#report(paths), {
      everyMs: pollMs,
      signal: this.#disposed.signal,
      log,
    });
  }

  /**
   * The library tells of the first event after a pause of half a second at once, and of those that follow together
   * when none came for 50 ms, or after half a second. A save is one event; a second wait here would only be longer.
   */
  #hear(error: Error | null, events: readonly watcher.Event[]): void {
    const { root, rules, log } = this.#options;
    if (error) {
      log.warn("events were lost", { root, error: messageOf(error) });
      void this.#startAfresh();
      return;
    }
    const paths = events
      .map(({ path }) => relative(root, path).replaceAll(sep, "/"))
      .filter((path) => isWatched(rules, path));
    if (paths.length > 0) this.#report(paths);
  }

  #report(paths: readonly string[]): void {
    const { rules, onChange } = this.#options;
    if (this.#disposed.signal.aborted) return;
    if (!paths.some((path) => rules.isIgnoreFile(path))) {
      onChange({ kind: "paths", paths });
      return;
    }
    rules.refresh();
    // A folder that is brought back must be watched, and one that is left out no longer.
    void this.#startAfresh();
  }

  /** What changes between two subscriptions is not told, so that all counts as changed. */
  async #startAfresh(): Promise<void> {
    await this.start();
    if (!this.#disposed.signal.aborted) this.#options.onChange({ kind: "all" });
  }
}

/** What a rule leaves out is nobody's business, unless it is itself a rule. */
function isWatched(rules: IgnoreRules, path: string): boolean {
  if (path === "") return false;
  return rules.isIgnoreFile(path) || rules.decide(path, false) === undefined;
}
