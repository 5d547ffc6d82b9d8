/** The indexes in use: workspaces shared by the sessions that opened them, and stored indexes that are only searched. */

import { LRUCache } from "lru-cache";
import type { Settings } from "../config.ts";
import { createEmbedder } from "../embedding/create.ts";
import type { Embedder, IndexStore, LiveLanes } from "../ports.ts";
import { OpenIndex } from "./open-index.ts";
import type { Parts } from "./parts.ts";

/** Linked indexes that stay in memory; each costs about 3 kB a chunk. */
const STORED_IN_MEMORY = 8;

/** An index that nobody keeps up to date here. */
export interface StoredIndex {
  readonly name: string;
  readonly root: string;
  readonly store: IndexStore;
  readonly lanes: LiveLanes;
  readonly embedder: Embedder;
  /** Whether the vectors are of the model that would embed the query. */
  readonly sameModel: boolean;
}

export interface IndexPool {
  /** Opens a workspace for a user, or shares the one that is open. */
  acquire(root: string, settings: Settings, user: object): OpenIndex;
  /** Closes it when this was its last user. */
  release(index: OpenIndex, user: object): Promise<void>;
  /** An index by its name: an open one first, else what is stored. */
  named(name: string, settings: Settings): Promise<OpenIndex | StoredIndex | undefined>;
  /** Forgets what is in memory of a stored index. */
  forget(name: string): void;
  onChange(listener: (index: OpenIndex) => void): void;
  close(): Promise<void>;
}

export function createIndexPool(parts: Parts): IndexPool {
  const open = new Map<string, { readonly index: OpenIndex; readonly users: Set<object> }>();
  const stored = new LRUCache<string, StoredIndex>({ max: STORED_IN_MEMORY });
  const listeners: ((index: OpenIndex) => void)[] = [];

  const keyOf = (url: string, root: string) => JSON.stringify([url, root]);

  async function load(name: string, settings: Settings): Promise<StoredIndex | undefined> {
    const url = settings["database.url"];
    const known = stored.get(keyOf(url, name));
    if (known !== undefined) return known;
    const database = await parts.stores.get(url);
    const store = await database.find(name);
    if (store === undefined) return undefined;
    const { root, modelId } = await store.record();
    const lanes = parts.createLanes();
    for await (const page of store.chunks()) lanes.add(page);
    const embedder = createEmbedder(settings, parts.table, parts.log);
    const sameModel = modelId === embedder.modelId;
    const index = { name, root, store, lanes, embedder, sameModel };
    stored.set(keyOf(url, name), index);
    return index;
  }

  return {
    acquire: (root, settings, user) => {
      const key = keyOf(settings["database.url"], root);
      const shared = open.get(key);
      if (shared !== undefined) {
        shared.users.add(user);
        return shared.index;
      }
      const index = new OpenIndex(root, settings, parts, (changed) => {
        for (const listener of listeners) listener(changed);
      });
      open.set(key, { index, users: new Set([user]) });
      return index;
    },
    release: async (index, user) => {
      const key = keyOf(index.settings["database.url"], index.root);
      const shared = open.get(key);
      if (shared?.index !== index) return;
      shared.users.delete(user);
      if (shared.users.size > 0) return;
      open.delete(key);
      await index.close();
    },
    named: async (name, settings) => {
      for (const { index } of open.values()) if (index.name === name) return index;
      return await load(name, settings);
    },
    forget: (name) => {
      for (const [key, index] of stored.entries()) if (index.name === name) stored.delete(key);
    },
    onChange: (listener) => void listeners.push(listener),
    close: async () => {
      const indexes = [...open.values()];
      open.clear();
      await Promise.all(indexes.map(({ index }) => index.close()));
    },
  };
}
