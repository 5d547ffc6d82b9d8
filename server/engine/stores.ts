/** The databases in use: the built-in one, and any Postgres that a user's settings name. */

import type { Log } from "../common/log.ts";
import type { Store } from "../contracts/store.ts";
import { openEmbedded } from "../store/embedded.ts";

export interface Stores {
  /** An empty URL means the built-in database. Rejects with Unavailable; the next call tries again. */
  get(url: string): Promise<Store>;
  /** Frees what databases hold in this process, until they are asked again. */
  suspend(): Promise<void>;
  close(): Promise<void>;
}

/** `notify` is told, in a sentence for the user, that the built-in database was damaged and rebuilt. */
export function createStores(
  directory: string,
  log: Log,
  notify: (notice: string) => void,
): Stores {
  const open = new Map<string, Promise<Store>>();
  return {
    get: (url) => {
      const known = open.get(url);
      if (known !== undefined) return known;
      const opening =
        url === "" ? openEmbedded({ directory, log, notify }) : openExternal({ url, log });
      open.set(url, opening);
      opening.catch(() => open.delete(url));
      return opening;
    },
    suspend: async () => {
      const stores = await Promise.allSettled(open.values());
      for (const store of stores) if (store.status === "fulfilled") await store.value.suspend();
    },
    close: async () => {
      const stores = await Promise.allSettled(open.values());
      open.clear();
      for (const store of stores) if (store.status === "fulfilled") await store.value.close();
    },
  };
}

/** Its driver takes 39 ms of a processor to load, and most engines have no use for it. */
async function openExternal(options: { readonly url: string; readonly log: Log }): Promise<Store> {
  const { openPostgres } = await import("../store/external.ts");
  return await openPostgres(options);
}
