/** Keeps an index in step that another engine writes, and takes it over when that one is gone. */

import { messageOf } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { LiveLanes } from "../contracts/lanes.ts";
import type { IndexStore } from "../contracts/store.ts";

/** What another engine wrote is found a second later; one that died is followed within two. */
const POLL_MS = 1_000;

/** Chunks without a vector whose files are looked at again; more are seen when the index is opened anew. */
const MOST_PENDING = 10_000;

export interface ReplicaSource {
  readonly store: IndexStore;
  readonly lanes: LiveLanes;
  /** Kept up to date. */
  readonly hashes: Map<string, string>;
  /** The files that had chunks without a vector when the lanes were filled. */
  readonly pending: ReadonlySet<string>;
  readonly log: Log;
  /** Something else is found now. */
  changed(): void;
  /** From now on this engine is the one that writes. */
  takeOver(): void;
}

export class ReplicaSync {
  readonly #followed: ReplicaSource;
  readonly #timer: NodeJS.Timeout;
  #seen: string | undefined;
  #pending: ReadonlySet<string>;
  #turn: Promise<void> | undefined;
  #isClosed = false;

  constructor(followed: ReplicaSource) {
    this.#followed = followed;
    this.#pending = followed.pending;
    this.#timer = setInterval(() => {
      this.#turn ??= this.#look().finally(() => {
        this.#turn = undefined;
      });
    }, POLL_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#turn;
  }

  async #look(): Promise<void> {
    const { store, log, takeOver } = this.#followed;
    if (store.writer.isHeld) return;
    try {
      const isOurs = await store.writer.tryHold();
      await this.#catchUp();
      if (!isOurs || this.#isClosed) return;
      log.info("this engine writes the index now", { name: store.name });
      takeOver();
    } catch (error) {
      log.debug("an index cannot be followed", { name: store.name, error: messageOf(error) });
    }
  }

  /** Takes over the files that the other engine changed, and those that it has embedded since. */
  async #catchUp(): Promise<void> {
    const { store, lanes, hashes, changed } = this.#followed;
    const { updatedAt } = await store.record();
    if (updatedAt === this.#seen) return;
    const pending = await pendingPaths(store);
    const embedded = [...this.#pending].filter((path) => !pending.has(path));
    const stored = await store.hashes();
    const gone = [...hashes.keys()].filter((path) => !stored.has(path));
    const written = [...stored].filter(([path, hash]) => hashes.get(path) !== hash);
    const paths = new Set([...written.map(([path]) => path), ...embedded]);
    await lanes.follow([...gone, ...paths], await store.chunksOf([...paths]));
    for (const path of gone) hashes.delete(path);
    for (const [path, hash] of written) hashes.set(path, hash);
    this.#pending = pending;
    this.#seen = updatedAt;
    if (gone.length + paths.size > 0) changed();
  }
}

/** Files with chunks that have no vector yet. */
export async function pendingPaths(store: IndexStore): Promise<ReadonlySet<string>> {
  const pending = await store.pending(MOST_PENDING);
  return new Set(pending.map(({ path }) => path));
}
