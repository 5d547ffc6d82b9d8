/** Stored indexes that are only searched: linked ones, and those that a search names. */

import { LRUCache } from "lru-cache";
import type { Settings } from "../config/settings.ts";
import type { Embedder } from "../contracts/embedding.ts";
import type { LiveLanes } from "../contracts/lanes.ts";
import type { IndexStore } from "../contracts/store.ts";
import { createEmbedder } from "../embedding/create.ts";
import { compatibility, SCHEMA_VERSION } from "../store/compatibility.ts";
import type { IndexDeps } from "./index-deps.ts";
import { indexFingerprint } from "./index-fingerprint.ts";
import { loadLanes } from "./load-lanes.ts";

/** Each takes about 3 kB per chunk. */
const MAX_IN_MEMORY = 8;

/** An index that this engine searches and does not update. */
export interface StoredIndex {
  readonly name: string;
  readonly root: string;
  readonly store: IndexStore;
  readonly lanes: LiveLanes;
  readonly embedder: Embedder;
  /** Whether the vectors are of the model that would embed the query. */
  readonly sameModel: boolean;
}

export class StoredIndexes {
  readonly #deps: IndexDeps;
  readonly #inMemory = new LRUCache<string, StoredIndex>({ max: MAX_IN_MEMORY });

  constructor(deps: IndexDeps) {
    this.#deps = deps;
  }

  /** Reads an index by its name; undefined when none is stored. */
  async get(name: string, settings: Settings): Promise<StoredIndex | undefined> {
    const url = settings["database.url"];
    const key = JSON.stringify([url, name]);
    const known = this.#inMemory.get(key);
    if (known !== undefined) return known;
    const { stores, model, log } = this.#deps;
    const database = await stores.get(url);
    const store = await database.find(name);
    if (store === undefined) return undefined;
    const { root, modelId, dimension } = await store.record();
    const { lanes } = await loadLanes(this.#deps, store, settings, () => dimension);
    const embedder = createEmbedder(settings, model, log);
    const sameModel = modelId === embedder.modelId;
    const index = { name, root, store, lanes, embedder, sameModel };
    this.#inMemory.set(key, index);
    return index;
  }

  /** Whether the whole of a folder is stored, made with these settings. */
  async has(root: string, settings: Settings): Promise<boolean> {
    const { stores, model, log } = this.#deps;
    const database = await stores.get(settings["database.url"]);
    const record = (await database.list()).find((each) => each.root === root);
    if (record?.state !== "complete") return false;
    const wanted = indexFingerprint(settings, createEmbedder(settings, model, log));
    return compatibility(record, { ...wanted, schemaVersion: SCHEMA_VERSION }).kind === "usable";
  }

  forget(name: string): void {
    for (const [key, index] of this.#inMemory.entries()) {
      if (index.name === name) this.#inMemory.delete(key);
    }
  }
}
