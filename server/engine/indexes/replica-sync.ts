/** Keeps an index in step that another engine writes, and takes it over when that one is gone. */

import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { SingleFlight } from "../../common/single-flight.ts";
import type { LiveGraph } from "../../contracts/graph.ts";
import type { LiveLanes } from "../../contracts/lanes.ts";
import type { IndexStore } from "../../contracts/store.ts";
import type { StoredFiles } from "../../indexing/stored-files.ts";

/** What another engine wrote is found a second later; a writer that died is succeeded within two. */
const POLL_MS = 1_000;

/** Chunks without a vector whose files are looked at again; more are seen when the index is opened again. */
const MAX_PENDING = 10_000;

export interface ReplicaSource {
  readonly store: IndexStore;
  readonly lanes: LiveLanes;
  readonly graph: LiveGraph;
  /** Kept up to date. */
  readonly files: StoredFiles;
  /** The files that had chunks without a vector when the lanes were filled. */
  readonly pending: ReadonlySet<string>;
  readonly log: Log;
  /** Searches find something else now. */
  changed(): void;
  /** From now on this engine is the one that writes. */
  takeOver(): void;
}

export class ReplicaSync {
  readonly #source: ReplicaSource;
  readonly #timer: NodeJS.Timeout;
  #seen: string | undefined;
  #pending: ReadonlySet<string>;
  readonly #looking = new SingleFlight(() => this.#look());
  #isClosed = false;

  constructor(source: ReplicaSource) {
    this.#source = source;
    this.#pending = source.pending;
    this.#timer = setInterval(() => void this.#looking.run(), POLL_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#looking.whenIdle();
  }

  async #look(): Promise<void> {
    const { store, log, takeOver } = this.#source;
    if (store.writer.isHeld) return;
    try {
      const isOurs = await store.writer.tryHold();
      await this.#catchUp();
      if (!isOurs || this.#isClosed) return;
      log.info("this engine writes the index now", { name: store.name });
      takeOver();
    } catch (error) {
      log.debug("an index that another engine writes cannot be read", {
        name: store.name,
        error: messageOf(error),
      });
    }
  }

  /** Takes over the files that the other engine changed, and those that it has embedded since. */
  async #catchUp(): Promise<void> {
    const { store, graph, changed } = this.#source;
    const { updatedAt } = await store.record();
    if (updatedAt === this.#seen) return;
    const { pending, gone, written } = await catchUp({ ...this.#source, pending: this.#pending });
    graph.replace(gone, await store.factsOf(written));
    this.#pending = pending;
    this.#seen = updatedAt;
    if (gone.length + written.length > 0) changed();
  }
}

/** Brings what is in memory of an index to what is stored: files that were written, removed, or embedded since. */
export async function catchUp({
  store,
  lanes,
  files,
  pending: before,
}: Pick<ReplicaSource, "store" | "lanes" | "files" | "pending">): Promise<{
  readonly pending: ReadonlySet<string>;
  readonly gone: readonly string[];
  /** Also those that were only embedded. */
  readonly written: readonly string[];
}> {
  const pending = await pendingPaths(store);
  const embedded = [...before].filter((path) => !pending.has(path));
  const stored = await store.hashes();
  const gone = [...files.paths()].filter((path) => !stored.has(path));
  const written = [...stored].filter(([path, hash]) => files.hash(path) !== hash);
  const paths = new Set([...written.map(([path]) => path), ...embedded]);
  await lanes.follow([...gone, ...paths], await store.chunksOf([...paths]));
  for (const path of gone) files.remove(path);
  const encodings = written.length === 0 ? new Map() : await store.encodings();
  for (const [path, sha256] of written) {
    const encoding = encodings.get(path);
    files.put({ path, sha256, ...(encoding === undefined ? {} : { encoding }) });
  }
  return { pending, gone, written: [...paths] };
}

/** Files with chunks that have no vector yet. */
export async function pendingPaths(store: IndexStore): Promise<ReadonlySet<string>> {
  const pending = await store.pending(MAX_PENDING);
  return new Set(pending.map(({ path }) => path));
}
