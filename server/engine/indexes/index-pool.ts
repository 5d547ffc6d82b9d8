/** The open indexes, shared by sessions, and kept for a while after their last session. */

import { isDeepStrictEqual } from "node:util";
import { messageOf, stackOf, Unavailable } from "../../common/errors.ts";
import { pathInside } from "../../common/path-inside.ts";
import type { Settings } from "../../contracts/settings.ts";
import {
  choosePublished,
  type PublishedRequest,
  type PublishedTargets,
} from "./choose-published.ts";
import type { IndexDeps } from "./index-deps.ts";
import { OpenIndex } from "./open-index.ts";
import { PublishedIndexes } from "./published-indexes.ts";
import { type StoredIndex, StoredIndexes } from "./stored-indexes.ts";

/** Commands open a workspace for a second, often repeatedly; loading 30 thousand chunks takes five seconds. */
const UNUSED_MS = 300_000;
/** An index takes about 3 kB per chunk. */
const MAX_UNUSED = 3;

interface Entry {
  readonly index: OpenIndex;
  readonly users: Set<object>;
  /** The timer that closes an unused index. */
  closing?: NodeJS.Timeout;
}

export class IndexPool {
  readonly #deps: IndexDeps;
  readonly #stored: StoredIndexes;
  readonly #published: PublishedIndexes;
  /** By database and root. Unused indexes are in the order of their release. */
  readonly #open = new Map<string, Entry>();
  /** Indexes that are closing: they may still write, so they are opened again only afterwards. */
  readonly #ending = new Map<string, Promise<unknown>>();
  /** Keys of paused indexes, by database and root; also for sessions that open them later. */
  readonly #paused = new Set<string>();
  readonly #listeners: ((index: OpenIndex) => void)[] = [];

  constructor(deps: IndexDeps) {
    this.#deps = deps;
    this.#stored = new StoredIndexes(deps);
    this.#published = new PublishedIndexes(deps);
  }

  onChange(listener: (index: OpenIndex) => void): void {
    this.#listeners.push(listener);
  }

  /** Whether any open index is in the state `indexing`. */
  get isIndexing(): boolean {
    return [...this.#open.values()].some(
      ({ index }) => index.workspace.status.state === "indexing",
    );
  }

  /** Whether the index of a folder is in memory: open, closing, or searched by its name. */
  isOpen(root: string): boolean {
    const keys = [...this.#open.keys(), ...this.#ending.keys()];
    return keys.some((key) => rootOf(key) === root) || this.#stored.isInMemory(root);
  }

  /** The open index of a folder in the built-in database, if all of its lanes are committed. */
  committedAt(root: string): OpenIndex | undefined {
    const index = this.#open.get(keyOf({ "database.url": "" }, root))?.index;
    return index?.isCommitted === true ? index : undefined;
  }

  /**
   * The encoding of an indexed file, by absolute path; undefined for UTF-8 and for files with a byte order
   * mark.
   */
  encodingOf(file: string): string | undefined {
    for (const { index } of this.#open.values()) {
      const path = pathInside(index.root, file);
      const encoding = path === undefined ? undefined : index.encodingOf(path);
      if (encoding !== undefined) return encoding;
    }
    return undefined;
  }

  /** Opens a workspace for a user, or shares it if it is open. */
  async acquire(root: string, settings: Settings, user: object): Promise<OpenIndex> {
    const key = keyOf(settings, root);
    for (;;) {
      const known = this.#open.get(key);
      if (known !== undefined && isFor(known, settings)) return await takeUp(known, user);
      if (known !== undefined) await this.#end(key, known);
      const ending = this.#ending.get(key);
      if (ending === undefined) break;
      await ending;
    }
    const index = new OpenIndex(root, settings, this.#deps, (changed) => {
      for (const listener of this.#listeners) listener(changed);
    });
    this.#open.set(key, { index, users: new Set([user]) });
    if (this.#paused.has(key)) index.workspace.pause();
    return index;
  }

  /** Whether a folder has an open or stored index with these settings. */
  async has(root: string, settings: Settings): Promise<boolean> {
    const open = this.#open.get(keyOf(settings, root));
    if (open !== undefined) {
      return !open.index.isStopped && isDeepStrictEqual(open.index.settings, settings);
    }
    try {
      return await this.#stored.has(root, settings);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      this.#deps.log.debug("stored indexes could not be listed", { root, error: messageOf(error) });
      return false;
    }
  }

  pause({ settings, root, workspace }: OpenIndex): void {
    this.#paused.add(keyOf(settings, root));
    workspace.pause();
  }

  resume({ settings, root, workspace }: OpenIndex): void {
    this.#paused.delete(keyOf(settings, root));
    workspace.resume();
  }

  /** Removes a user. Without users, an index that was at work closes at once, an idle one after some minutes. */
  async release(index: OpenIndex, user: object): Promise<void> {
    const key = keyOf(index.settings, index.root);
    const entry = this.#open.get(key);
    if (entry?.index !== index) return;
    entry.users.delete(user);
    if (entry.users.size > 0) return;
    if (index.workspace.status.state === "ready") await this.#keep(key, entry);
    else await this.#end(key, entry);
  }

  /** Reindexes everything in the built-in database, after its content was lost. */
  restartEmbedded(): void {
    for (const { index } of this.#open.values()) {
      if (index.settings["database.url"] === "") index.workspace.restart(false);
    }
  }

  /** Finds an index by name: an open one first, then a stored one. */
  async named(name: string, settings: Settings): Promise<OpenIndex | StoredIndex | undefined> {
    const open = [...this.#open.values()].map(({ index }) => index);
    const named = open.find((index) => index.name === name);
    if (named !== undefined) return named;
    const stored = await this.#stored.resolve(name, settings);
    if (stored === undefined) return undefined;
    return (
      open.find((index) => index.name === stored) ?? (await this.#stored.get(stored, settings))
    );
  }

  /** Chooses and opens published indexes of the user's team. */
  async publishedOf(
    request: Omit<PublishedRequest, "teams" | "indexes">,
  ): Promise<PublishedTargets> {
    return await choosePublished({
      ...request,
      teams: this.#deps.teams,
      indexes: this.#published,
    });
  }

  /** Stops the open index of this name before it is dropped; nothing writes to it afterwards. */
  async forget(name: string, reason: string): Promise<void> {
    this.#stored.forget(name);
    for (const [key, entry] of this.#open) {
      if (entry.index.name !== name) continue;
      if (entry.users.size === 0) await this.#end(key, entry);
      else await entry.index.stop(reason);
    }
  }

  /** Deletes the files of an index beside the database. */
  async removeStored(name: string): Promise<void> {
    const { lanesFiles, edgesFiles } = this.#deps;
    await Promise.all([lanesFiles.remove(name), edgesFiles.remove(name)]);
  }

  /** Closes indexes without a session. */
  async closeUnused(): Promise<void> {
    this.#stored.clear();
    this.#published.clear();
    const unused = [...this.#open].filter(([, { users }]) => users.size === 0);
    await Promise.all(unused.map(([key, entry]) => this.#end(key, entry)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map(([key, entry]) => this.#end(key, entry)));
    await this.#deps.teams.close();
  }

  /** Keeps an unused index; closes the least recently used one over the limit. */
  async #keep(key: string, entry: Entry): Promise<void> {
    this.#open.delete(key);
    this.#open.set(key, entry);
    entry.closing = setTimeout(() => {
      this.#end(key, entry).catch((error: unknown) => {
        this.#deps.log.error("bug in closing an index", { error: stackOf(error) });
      });
    }, UNUSED_MS);
    entry.closing.unref();
    const unused = [...this.#open].filter(([, { users }]) => users.size === 0);
    const tooMany = unused.slice(0, -MAX_UNUSED);
    await Promise.all(tooMany.map(([oldest, each]) => this.#end(oldest, each)));
  }

  async #end(key: string, { index, closing }: Entry): Promise<void> {
    clearTimeout(closing);
    this.#open.delete(key);
    const closed = index.close();
    const ended = closed.then(
      () => this.#ending.delete(key),
      () => this.#ending.delete(key),
    );
    this.#ending.set(key, ended);
    await closed;
  }
}

/** A used index is shared even with other settings; an unused one is reused only with the same settings. */
function isFor({ index, users }: Entry, settings: Settings): boolean {
  return users.size > 0 || isDeepStrictEqual(index.settings, settings);
}

/** Collects changes that the watcher has not reported yet: a new user expects the current files. */
async function takeUp({ index, users, closing }: Entry, user: object): Promise<OpenIndex> {
  clearTimeout(closing);
  const wasUnused = users.size === 0;
  users.add(user);
  // Without users, changes may have waited for the next regular reconciliation.
  if (!(await index.catchUp()) && wasUnused) index.workspace.refresh();
  return index;
}

function keyOf(settings: Pick<Settings, "database.url">, root: string): string {
  return JSON.stringify([settings["database.url"], root]);
}

function rootOf(key: string): string {
  return (JSON.parse(key) as [string, string])[1];
}
