/** The folders that a session has open, each with its index. Follows the roots and the settings of the client. */

import { BadRequest, stackOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { refusalReason } from "../common/refused-folders.ts";
import { SerialQueue } from "../common/serial-queue.ts";
import { merge } from "../config/settings.ts";
import type { PartialSettings, Settings } from "../contracts/settings.ts";
import { Folder } from "./answers/folder.ts";
import { realFolder } from "./indexes/folder-checks.ts";
import type { IndexPool } from "./indexes/index-pool.ts";
import { locateIndex } from "./indexes/locate-index.ts";
import type { OpenIndex } from "./indexes/open-index.ts";

interface FolderEvents {
  opened(index: OpenIndex): void;
  /** A folder was closed. Another folder of the session may still use the index. */
  closed(index: OpenIndex): void;
  warned(text: string): void;
}

/** Delay before unreadable settings are read again; until then an open folder keeps its settings. */
const REOPEN_RETRY_MS = 5_000;

export class OpenFolders {
  readonly #pool: IndexPool;
  readonly #log: Log;
  readonly #events: FolderEvents;
  #user: PartialSettings = {};
  #roots: readonly string[] = [];
  readonly #open = new Map<string, Folder>();
  /** Folders are opened and closed one at a time. */
  readonly #opening = new SerialQueue();
  #isPaused = false;

  constructor(pool: IndexPool, log: Log, events: FolderEvents) {
    this.#pool = pool;
    this.#log = log;
    this.#events = events;
  }

  /** The open folders in the order of the client's roots. */
  get folders(): Folder[] {
    return this.#roots.flatMap((root) => this.#open.get(root) ?? []);
  }

  get indexes(): OpenIndex[] {
    return [...new Set(this.folders.map(({ index }) => index))];
  }

  /** The client's settings over the defaults. The settings of a workspace are not in it. */
  get settings(): Settings {
    return merge(this.#user);
  }

  /** Whether this folder is open, or a folder inside it that shares its index. */
  has(root: string): boolean {
    return this.#open.has(root) || this.indexes.some((index) => index.root === root);
  }

  get(root: string): Folder {
    const folder = this.#open.get(root) ?? this.#open.get(realFolder(root));
    if (folder === undefined) throw new BadRequest(`${root} is not open`);
    return folder;
  }

  async configure(settings: PartialSettings): Promise<void> {
    this.#user = settings;
    await this.reopen();
  }

  /** Opens these folders and closes all others. Returns warnings for the user. */
  async open(roots: readonly string[]): Promise<readonly string[]> {
    const real: string[] = [];
    const refusals: string[] = [];
    for (const root of roots) {
      try {
        real.push(realFolder(root));
      } catch (error) {
        // A deleted folder does not close the others.
        if (roots.length === 1 || !(error instanceof BadRequest)) throw error;
        refusals.push(error.message);
      }
    }
    this.#roots = real.filter((root) => refusalReason(root) === undefined);
    refusals.push(...real.flatMap((root) => refusalReason(root) ?? []));
    return [...refusals, ...(await this.reopen())];
  }

  pause(): void {
    this.#isPaused = true;
    for (const index of this.indexes) this.#pool.pause(index);
  }

  resume(): void {
    this.#isPaused = false;
    for (const index of this.indexes) this.#pool.resume(index);
  }

  /** Opens and closes indexes to match the roots and the settings. Returns warnings for the user. */
  async reopen(): Promise<string[]> {
    return await this.#opening.run(() => this.#matchRoots());
  }

  /** Reopens folders with changed settings, and folders that the shared index now excludes. */
  reopenSoon(): void {
    this.reopen().catch((error: unknown) => {
      if (!(error instanceof Unavailable)) {
        this.#log.error("bug in opening a folder", { error: stackOf(error) });
        return;
      }
      this.#log.warn("opening a folder is retried", { error: error.message });
      setTimeout(() => this.reopenSoon(), REOPEN_RETRY_MS).unref();
    });
  }

  async #matchRoots(): Promise<string[]> {
    for (const [root, { index }] of this.#open) {
      if (this.#roots.includes(root)) continue;
      await this.#leave(root);
      this.#events.closed(index);
    }
    const warnings: string[] = [];
    // Shortest path first: an inner folder may share the index of an outer one.
    for (const root of this.#roots.toSorted((a, b) => a.length - b.length)) {
      const current = this.#open.get(root);
      const isOwn = current !== undefined && current.part === undefined;
      const location = await locateIndex(root, this.#user, async (above, settings) =>
        isOwn ? false : await this.#pool.has(above, settings),
      );
      const { settings } = location;
      warnings.push(...location.problems);
      if (current?.index.root === location.root && same(current.index.settings, settings)) continue;
      await this.#leave(root);
      const index = await this.#pool.acquire(location.root, settings, this);
      this.#open.set(root, new Folder(root, index));
      if (this.#isPaused) this.#pool.pause(index);
      if (!same(index.settings, settings)) {
        warnings.push(
          `${root} is open in another editor, whose settings apply until it is closed there`,
        );
      }
      this.#events.opened(index);
    }
    for (const text of warnings) this.#events.warned(text);
    return warnings;
  }

  /** Closes a folder. Its index stays open while another folder of the session shares it. */
  async #leave(root: string): Promise<void> {
    const folder = this.#open.get(root);
    this.#open.delete(root);
    if (folder === undefined) return;
    const isShared = [...this.#open.values()].some(({ index }) => index === folder.index);
    if (!isShared) await this.#pool.release(folder.index, this);
  }
}

function same(a: Settings, b: Settings): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
