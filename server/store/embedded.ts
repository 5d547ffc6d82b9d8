/** Opens the built-in database. The caller must hold the lock on its folder. */

import type { Store } from "../contracts/store.ts";
import { migrate } from "./migrate.ts";
import { PgliteDatabase, type PgliteOptions } from "./pglite.ts";
import { createStore } from "./store.ts";

export async function openEmbedded(options: Omit<PgliteOptions, "prepare">): Promise<Store> {
  const database = new PgliteDatabase({ ...options, prepare: migrate });
  try {
    await database.query("select");
  } catch (error) {
    await database.close();
    throw error;
  }
  return createStore(database);
}
