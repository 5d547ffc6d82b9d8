/**
 * Watches a tree where the system's watches are of single folders: each folder that no rule leaves out has one.
 *
 * What is told is where to look, not what happened: a path may have come, changed or gone, and a folder means all
 * that is in it.
 */

import { type Dirent, type FSWatcher, watch as watchFolder } from "node:fs";
import { lstat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { messageOf } from "../../common/errors.ts";
import { SerialQueue } from "../../common/serial-queue.ts";
import { FolderListings } from "../discovery/folder-listings.ts";
import type { IgnoreRules } from "../ignore/ignore-rules.ts";
import { foldersIn } from "./unwatched-folders.ts";

/** Told of paths relative to the root, or that events may have been lost. */
export type Hear = (error: Error | null, paths: readonly string[]) => void;

export interface Subscription {
  unsubscribe(): Promise<void>;
  /** Resolves when all that has changed by now was told. Undefined where the system cannot be asked for it. */
  flush?(): Promise<void>;
}

/** A save is a few events within a millisecond or two. */
const FIRST_MS = 5;
/** Events that follow are told together when none came for this long, or after the longest time. */
const QUIET_MS = 50;
const MAX_DELAY_MS = 500;

/** The kernel keeps at most this many events per process and drops the others without a word (fs.inotify.max_queued_events). */
const MAX_QUEUED_EVENTS = 16_384;

/** All that are open in this process: they share the kernel's queue. */
const opened = new Set<FolderWatches>();
/** Events of all of them since the thread had time for anything else. */
let burst = 0;

/** Resolves when all folders are watched. Rejects when the system refuses. */
export async function watchFolders(
  root: string,
  rules: IgnoreRules,
  hear: Hear,
  listings = new FolderListings(),
): Promise<Subscription> {
  const folders = new FolderWatches(root, rules, hear, listings);
  try {
    await folders.enter("");
  } catch (error) {
    folders.close();
    throw error;
  }
  return { unsubscribe: async () => folders.close(), flush: () => folders.flush() };
}

class FolderWatches {
  readonly #root: string;
  readonly #rules: IgnoreRules;
  readonly #hear: Hear;
  readonly #listings: FolderListings;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #turns = new SerialQueue();
  /** Where something may have changed since it was told last. */
  #changed = new Set<string>();
  /** Of these, the entries that came or went: they may be folders. */
  #renamed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #waitingSince = 0;
  #toldAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(root: string, rules: IgnoreRules, hear: Hear, listings: FolderListings) {
    this.#root = root;
    this.#rules = rules;
    this.#hear = hear;
    this.#listings = listings;
    opened.add(this);
  }

  close(): void {
    this.#isClosed = true;
    opened.delete(this);
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#listings.forget();
  }

  /** Watches a folder and those in it. Each is listed after it is watched, so that nothing comes in between. */
  async enter(top: string): Promise<void> {
    const queue = [top];
    for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
      if (this.#isClosed) return;
      if (!this.#watch(folder)) continue;
      const listed = (entries: readonly Dirent[]) => this.#listings.note(folder, entries);
      for (const entry of await foldersIn(join(this.#root, folder), listed)) {
        const path = folder === "" ? entry : `${folder}/${entry}`;
        if (this.#rules.decide(path, "folder") === undefined) queue.push(path);
      }
    }
  }

  /** False where there is no folder any more that could be watched. */
  #watch(folder: string): boolean {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
    try {
      const options = { persistent: false };
      const watcher = watchFolder(join(this.#root, folder), options, (kind, name) =>
        this.#note(folder, kind, name),
      );
      watcher.on("error", (error) => this.#hear(error, []));
      this.#watchers.set(folder, watcher);
      return true;
    } catch (error) {
      const isGone = error instanceof Error && "code" in error && GONE.has(String(error.code));
      if (isGone && folder !== "") return false;
      throw error;
    }
  }

  #note(folder: string, kind: string, name: string | null): void {
    if (this.#isClosed) return;
    this.#listings.forget();
    countBurst();
    if (folder === "" && kind === "rename" && name === basename(this.#root)) {
      this.#hear(new Error("the folder was moved or deleted"), []);
      return;
    }
    const path = [folder, name ?? ""].filter((part) => part !== "").join("/");
    this.#changed.add(path);
    if (kind === "rename") this.#renamed.add(path);
    this.#tellSoon();
  }

  /** What the kernel has queued is read at the latest in the turn after this one. */
  async flush(): Promise<void> {
    await nextTurn();
    await nextTurn();
    clearTimeout(this.#timer);
    await this.#turns.run(() => this.#tell());
  }

  eventsMayBeLost(): void {
    this.#hear(new Error("events may have been lost"), []);
  }

  #tellSoon(): void {
    const now = performance.now();
    if (this.#timer === undefined) this.#waitingSince = now;
    clearTimeout(this.#timer);
    const isFirst = now - this.#toldAt > MAX_DELAY_MS;
    const leftMs = this.#waitingSince + MAX_DELAY_MS - now;
    const waitMs = Math.max(0, Math.min(isFirst ? FIRST_MS : QUIET_MS, leftMs));
    this.#timer = setTimeout(() => void this.#turns.run(() => this.#tell()), waitMs).unref();
  }

  async #tell(): Promise<void> {
    this.#timer = undefined;
    this.#toldAt = performance.now();
    const [changed, renamed] = [this.#changed, this.#renamed];
    [this.#changed, this.#renamed] = [new Set(), new Set()];
    if (this.#isClosed || changed.size === 0) return;
    // A folder that was moved in brings its own rules.
    this.#rules.refresh(renamed);
    try {
      for (const path of renamed) if (!(await this.#lookAt(path))) changed.delete(path);
      if (!this.#isClosed && changed.size > 0) this.#hear(null, [...changed]);
    } catch (error) {
      if (!this.#isClosed) this.#hear(new Error(messageOf(error), { cause: error }), []);
    }
  }

  /**
   * Watches what turns out to be a folder; one that was deleted and made again is another one. False for a folder that a
   * rule leaves out, of which nothing is to be told.
   */
  async #lookAt(path: string): Promise<boolean> {
    this.#forget(path);
    if (!(await isFolder(join(this.#root, path)))) return true;
    if (this.#rules.decide(path, "folder") !== undefined) return false;
    await this.enter(path);
    return true;
  }

  #forget(folder: string): void {
    if (!this.#watchers.has(folder)) return;
    for (const [path, watcher] of this.#watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
  }
}

function countBurst(): void {
  if (burst === 0) setImmediate(() => (burst = 0));
  burst++;
  if (burst === MAX_QUEUED_EVENTS) for (const folders of opened) folders.eventsMayBeLost();
}

/** Gone since it was listed, no folder any more, or not to be read by this user. */
const GONE = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP"]);

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
