/** Read-only stored indexes: linked indexes, and indexes that a search names. */

import { LRUCache } from "lru-cache";
import { BadRequest } from "../../common/errors.ts";
import { SerialQueue } from "../../common/serial-queue.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { LiveLanes } from "../../contracts/lanes.ts";
import type { IndexRecord } from "../../contracts/model.ts";
import type { PublishedIndex } from "../../contracts/published.ts";
import type { PublishedText } from "../../contracts/published-file.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { Compatibility, IndexStore, Store } from "../../contracts/store.ts";
import { createEmbedder } from "../../embedding/create.ts";
import { StoredFiles } from "../../indexing/stored-files.ts";
import { compatibility, otherModel } from "../../store/compatibility.ts";
import type { IndexDeps } from "./index-deps.ts";
import { currentKeys } from "./index-fingerprint.ts";
import { loadLanes } from "./load-lanes.ts";
import { catchUp, pendingPaths } from "./replica-sync.ts";

/** An index takes about 3 kB per chunk. */
const MAX_IN_MEMORY = 8;

/** An index that this engine searches and does not update. */
export interface StoredIndex {
  readonly name: string;
  readonly root: string;
  readonly store: IndexStore;
  readonly lanes: LiveLanes;
  readonly files: StoredFiles;
  readonly embedder: Embedder;
  /** Whether the stored vectors are of the model that would embed the query. */
  readonly compatibility: Compatibility;
  /** Whether it belongs to another installation, with its own files. */
  readonly isForeign: boolean;
  /** Set for an index of the team's database, whose files are not here. */
  readonly published?: {
    readonly index: PublishedIndex;
    /** The texts of the chunks of a file; none if a publish has replaced it. */
    texts(path: string): Promise<readonly PublishedText[]>;
    /** Why a part of its lanes could not be read; its hits are left out. */
    failure(): string | undefined;
  };
}

/** A copy in memory, with the data needed to detect changes in the store. */
interface Copy {
  readonly index: StoredIndex;
  /** Identifies the stored index: one that was recreated, or has another model, is loaded again. */
  readonly identity: string;
  updatedAt: string;
  pending: ReadonlySet<string>;
}

export class StoredIndexes {
  readonly #deps: IndexDeps;
  readonly #inMemory = new LRUCache<string, Copy>({ max: MAX_IN_MEMORY });
  /** Serializes updates of a copy. */
  readonly #turns = new SerialQueue();

  constructor(deps: IndexDeps) {
    this.#deps = deps;
  }

  /** The stored name for a name given by the user; undefined if there is none. */
  async resolve(name: string, settings: Settings): Promise<string | undefined> {
    return await (await this.#deps.stores.get(settings["database.url"])).resolve(name);
  }

  /** Loads an index by its stored name; undefined if there is none. */
  async get(name: string, settings: Settings): Promise<StoredIndex | undefined> {
    return await this.#turns.run(() => this.#get(name, settings));
  }

  async #get(name: string, settings: Settings): Promise<StoredIndex | undefined> {
    const url = settings["database.url"];
    const key = JSON.stringify([url, name]);
    const database = await this.#deps.stores.get(url);
    const store = await database.find(name);
    if (store === undefined) {
      this.#inMemory.delete(key);
      return undefined;
    }
    const record = await store.record();
    const known = this.#inMemory.get(key);
    if (known !== undefined && known.identity === identityOf(record)) {
      await bringUpToDate(known, record);
      return known.index;
    }
    const copy = await this.#read(store, record, settings);
    this.#inMemory.set(key, copy);
    return copy.index;
  }

  async #read(store: IndexStore, record: IndexRecord, settings: Settings): Promise<Copy> {
    const { name, root, modelId, dimension, updatedAt } = record;
    // Read before the lanes: later writes then show up as a difference.
    const files = await readFiles(store);
    const pending = await pendingPaths(store);
    const { lanes } = await loadLanes(this.#deps, { store, settings }, () => dimension);
    const embedder = createEmbedder(settings, this.#deps);
    const isSame = modelId === embedder.modelId;
    const fit = isSame ? ({ kind: "usable" } as const) : otherModel(record, embedder.modelId);
    const isForeign = record.installation === "another";
    const index = { name, root, store, lanes, files, embedder, compatibility: fit, isForeign };
    return { index, identity: identityOf(record), updatedAt, pending };
  }

  /** Whether a whole folder is stored with these settings. */
  async has(root: string, settings: Settings): Promise<boolean> {
    const { stores } = this.#deps;
    const database = await stores.get(settings["database.url"]);
    const record = (await database.list()).find(
      (each) => each.root === root && each.installation !== "another",
    );
    if (record?.state !== "complete") return false;
    const current = currentKeys(settings, createEmbedder(settings, this.#deps));
    return compatibility(record, current).kind === "usable";
  }

  isInMemory(root: string): boolean {
    return [...this.#inMemory.values()].some(({ index }) => index.root === root);
  }

  /** Drops the copies in memory. */
  clear(): void {
    this.#inMemory.clear();
  }

  forget(name: string): void {
    for (const [key, { index }] of this.#inMemory.entries()) {
      if (index.name === name) this.#inMemory.delete(key);
    }
  }
}

/** BadRequest for an index of another installation, which may be in use there. */
export async function refuseForeign(database: Store, name: string): Promise<void> {
  const record = (await database.list()).find((each) => each.name === name);
  if (record?.installation !== "another") return;
  throw new BadRequest(
    `the index "${name}" of ${record.root} belongs to another installation on ${database.place}; ` +
      `cocosearch-lsp clear ${name} --others deletes it anyway`,
  );
}

async function readFiles(store: IndexStore): Promise<StoredFiles> {
  const [hashes, encodings] = await Promise.all([store.hashes(), store.encodings()]);
  return new StoredFiles(hashes, undefined, [], [], encodings);
}

function identityOf({ createdAt, modelId, dimension, root }: IndexRecord): string {
  return JSON.stringify([createdAt, modelId, dimension, root]);
}

/** Updates a copy to the store, which this or another engine may be writing. */
async function bringUpToDate(copy: Copy, { updatedAt }: IndexRecord): Promise<void> {
  if (copy.updatedAt === updatedAt) return;
  const { pending } = await catchUp({ ...copy, ...copy.index });
  copy.pending = pending;
  copy.updatedAt = updatedAt;
}
