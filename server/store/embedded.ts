/** Opens the built-in database. Whoever calls holds the lock on its folder. */

import { mkdirSync } from "node:fs";
import type { Store } from "../ports.ts";
import { migrate } from "./migrate.ts";
import { PgliteDatabase, type PgliteOptions } from "./pglite.ts";
import { createStore } from "./store.ts";

export async function openEmbedded(options: PgliteOptions): Promise<Store> {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const database = new PgliteDatabase(options);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return createStore(database);
}
