/** The databases in use: the built-in one, and Postgres databases that settings name. */

import type { Log } from "../../common/log.ts";
import type { Store } from "../../contracts/store.ts";
import { openEmbedded } from "../../store/embedded.ts";
import type { PostgresOptions } from "../../store/external.ts";

export interface Stores {
  /** An empty URL means the built-in database. Rejects with Unavailable; the next call tries again. */
  get(url: string): Promise<Store>;
  /** Frees the memory of databases until their next use. */
  suspend(): Promise<void>;
  close(): Promise<void>;
}

export interface StoresOptions {
  /** The folder of the built-in database. */
  readonly directory: string;
  /** Called for the first shared Postgres. */
  readonly installation: () => string;
  readonly log: Log;
  /** Called with a sentence for the user when the built-in database was damaged and rebuilt. */
  readonly notify: (notice: string) => void;
}

export function createStores({ directory, installation, log, notify }: StoresOptions): Stores {
  const open = new Map<string, Promise<Store>>();
  return {
    get: (url) => {
      const known = open.get(url);
      if (known !== undefined) return known;
      const opening =
        url === ""
          ? openEmbedded({ directory, log, notify })
          : openExternal({ url, installation, log });
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

type ExternalOptions = Pick<PostgresOptions, "url" | "log"> & Pick<StoresOptions, "installation">;

/** Loaded on demand: the driver takes 39 ms to load, and most engines never use it. */
async function openExternal({ installation, ...options }: ExternalOptions): Promise<Store> {
  const { openPostgres } = await import("../../store/external.ts");
  return await openPostgres({ ...options, installation: installation() });
}
