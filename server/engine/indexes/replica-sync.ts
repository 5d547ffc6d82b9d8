/** Follows an index that another engine writes, and becomes its writer when the other engine is gone. */

import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { SingleFlight } from "../../common/single-flight.ts";
import type { LiveGraph } from "../../contracts/graph.ts";
import type { LiveLanes } from "../../contracts/lanes.ts";
import type { IndexStore } from "../../contracts/store.ts";
import type { StoredFiles } from "../../indexing/stored-files.ts";

/** Polling interval: writes of another engine are visible within a second, and a dead writer is replaced within two. */
const POLL_MS = 1_000;

/** Maximum number of files whose missing vectors are polled; the others are loaded at the next opening. */
const MAX_PENDING = 10_000;

export interface ReplicaSource {
  readonly store: IndexStore;
  readonly lanes: LiveLanes;
  readonly graph: LiveGraph;
  /** Kept up to date. */
  readonly files: StoredFiles;
  /** The files with chunks without a vector when the lanes were loaded. */
  readonly pending: ReadonlySet<string>;
  readonly log: Log;
  /** Called when search results may have changed. */
  changed(): void;
  /** Called when this engine has become the writer. */
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
      log.info("this engine is the writer of the index now", { name: store.name });
      takeOver();
    } catch (error) {
      log.debug("an index of another engine cannot be read", {
        name: store.name,
        error: messageOf(error),
      });
    }
  }

  /** Loads the files that the other engine changed or embedded. */
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

/** Updates the in-memory index from the store: files that were written, removed or embedded. */
export async function catchUp({
  store,
  lanes,
  files,
  pending: before,
}: Pick<ReplicaSource, "store" | "lanes" | "files" | "pending">): Promise<{
  readonly pending: ReadonlySet<string>;
  readonly gone: readonly string[];
  /** Includes files that were only embedded. */
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

/** Files with chunks without a vector. */
export async function pendingPaths(store: IndexStore): Promise<ReadonlySet<string>> {
  const pending = await store.pending(MAX_PENDING);
  return new Set(pending.map(({ path }) => path));
}
