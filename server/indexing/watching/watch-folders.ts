/**
 * Watches a tree with one system watch per folder, except for excluded folders.
 *
 * Events name paths and not what happened: a path may be created, changed or deleted, and a folder means everything inside
 * it.
 */

import { type Dirent, type FSWatcher, watch as watchFolder } from "node:fs";
import { lstat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isSystemError, messageOf, trySystemCall } from "../../common/errors.ts";
import { SerialQueue } from "../../common/serial-queue.ts";
import { FolderListings } from "../discovery/folder-listings.ts";
import type { IgnoreRules } from "../ignore/ignore-rules.ts";
import { foldersIn } from "./unwatched-folders.ts";

/** Receives changed paths relative to the root, or an error if events may have been lost. */
export type Hear = (error: Error | null, paths: readonly string[]) => void;

export interface Subscription {
  unsubscribe(): Promise<void>;
  /** Resolves when all changes until now are reported. Undefined if the platform cannot flush events. */
  flush?(): Promise<void>;
}

/** Debounce of the first event: a save raises a few events within 2 ms. */
const FIRST_DEBOUNCE_MS = 5;
/** Debounce of later events, and the maximum delay of an event. */
const DEBOUNCE_MS = 50;
const MAX_DELAY_MS = 500;

/** The kernel queues at most this many events per process and silently drops the rest (fs.inotify.max_queued_events). */
const MAX_QUEUED_EVENTS = 16_384;

/** All open watches of this process: they share the kernel's queue. */
const opened = new Set<FolderWatches>();
/** Events of all watches in the current turn of the event loop. */
let burst = 0;

/** Resolves when all folders are watched. Rejects if the system has no free watches. */
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
  readonly #queue = new SerialQueue();
  /** Paths to report. */
  #changed = new Set<string>();
  /** The subset of created or deleted entries, which may be folders. */
  #renamed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #waitingSince = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
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

  /** Watches a folder and its subfolders. Lists each folder after watching it, so that no change is missed. */
  async enter(top: string): Promise<void> {
    const queue = [top];
    for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
      if (this.#isClosed) return;
      if (!this.#watch(folder)) continue;
      let isRepository = false;
      const listed = (entries: readonly Dirent[]) => {
        isRepository = entries.some(({ name }) => name === ".git");
        this.#listings.note(folder, entries);
      };
      const folders = await foldersIn(join(this.#root, folder), listed);
      if (isRepository && this.#isExcludedNow(folder)) continue;
      for (const entry of folders) {
        const path = folder === "" ? entry : `${folder}/${entry}`;
        if (this.#rules.decide(path, "folder") === undefined) queue.push(path);
      }
    }
  }

  /** Decides about a folder again, whose `.git` may have been written after it was found and before it was watched. */
  #isExcludedNow(folder: string): boolean {
    if (folder === "") return false;
    this.#rules.refresh(new Set([folder]));
    if (this.#rules.decide(folder, "folder") === undefined) return false;
    this.#forget(folder);
    return true;
  }

  /** False if the folder no longer exists or cannot be read. */
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
      const isGone = isSystemError(error) && GONE.has(String(error.code));
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
    this.#reportSoon();
  }

  /** The event loop reads the kernel's queue within the next two turns. */
  async flush(): Promise<void> {
    await nextTurn();
    await nextTurn();
    clearTimeout(this.#timer);
    await this.#queue.run(() => this.#report());
  }

  eventsMayBeLost(): void {
    this.#hear(new Error("events may have been lost"), []);
  }

  #reportSoon(): void {
    const now = performance.now();
    if (this.#timer === undefined) this.#waitingSince = now;
    clearTimeout(this.#timer);
    const isFirst = now - this.#reportedAt > MAX_DELAY_MS;
    const leftMs = this.#waitingSince + MAX_DELAY_MS - now;
    const waitMs = Math.max(0, Math.min(isFirst ? FIRST_DEBOUNCE_MS : DEBOUNCE_MS, leftMs));
    this.#timer = setTimeout(() => void this.#queue.run(() => this.#report()), waitMs).unref();
  }

  async #report(): Promise<void> {
    this.#timer = undefined;
    this.#reportedAt = performance.now();
    const [changed, renamed] = [this.#changed, this.#renamed];
    [this.#changed, this.#renamed] = [new Set(), new Set()];
    if (this.#isClosed || changed.size === 0) return;
    // A folder that was moved in may have its own ignore files.
    this.#rules.refresh(renamed);
    try {
      for (const path of renamed) if (!(await this.#updateWatch(path))) changed.delete(path);
      if (!this.#isClosed && changed.size > 0) this.#hear(null, [...changed]);
    } catch (error) {
      if (!this.#isClosed) this.#hear(new Error(messageOf(error), { cause: error }), []);
    }
  }

  /**
   * Watches the path if it is a folder now; a recreated folder needs a new watch. False for an excluded folder, which is not
   * reported.
   */
  async #updateWatch(path: string): Promise<boolean> {
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

/** The folder was deleted or replaced since it was listed, or this user may not read it. */
const GONE = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP"]);

async function isFolder(path: string): Promise<boolean> {
  return (await trySystemCall(() => lstat(path)))?.isDirectory() === true;
}
