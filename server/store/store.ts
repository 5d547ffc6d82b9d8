/** The store over either database: creates, opens, lists and removes indexes. Removing an index drops its tables. */

import type { IndexSeed, Store, WriterLock } from "../contracts/store.ts";
import { giveAllRows } from "./borrowed-rows.ts";
import {
  findRecord,
  insertRecord,
  listRecords,
  lockIndex,
  removeRecord,
  updateWorktree,
} from "./catalog.ts";
import { SCHEMA_VERSION } from "./compatibility.ts";
import type { Database } from "./database.ts";
import { createEmbeddingCache } from "./embedding-cache.ts";
import { createIndexStore } from "./index-store.ts";
import { hasSharedTables } from "./migrate.ts";
import { checkName, tablesOf } from "./names.ts";
import { checkOwner, type Installation, nameFor, resolveName, toRecord } from "./ownership.ts";
import { createTables, dropTables } from "./schema.ts";
import { takeOverFiles } from "./seed.ts";
import { createWriterLock } from "./writer-lock.ts";
import { readUntilWritten, Writes } from "./writes.ts";

interface StoreOptions {
  /** Recreates the shared tables if another program dropped them. */
  readonly setUp?: () => Promise<void>;
  /** The installation of this engine, in a shared database. */
  readonly installation?: Installation;
}

interface StoreOfOptions {
  readonly modelId?: string;
  readonly seed?: IndexSeed | undefined;
  readonly schema?: string | undefined;
}

export function createStore(database: Database, options: StoreOptions = {}): Store {
  const { setUp, installation: own } = options;
  const writes = new Writes(database.exclusive === undefined);
  const writers = new Map<string, WriterLock>();
  const writerOf = (name: string) => {
    const known = writers.get(name) ?? createWriterLock(database, name);
    writers.set(name, known);
    return known;
  };
  const storeOf = (name: string, { modelId, seed, schema }: StoreOfOptions = {}) =>
    createIndexStore(database, {
      name,
      schema,
      seededFrom: seed?.from,
      writes,
      writer: writerOf(name),
      installation: own,
      ...(modelId === undefined ? {} : { modelId }),
    });
  return {
    place: database.place,
    embeddings: createEmbeddingCache(database),
    // No index has this name, so an exclusive database is asked once.
    version: readUntilWritten(writes, "", () => readVersion(database)),
    list: async () => (await listRecords(database)).map((entry) => toRecord(entry, own)),
    nameFor: async (root, wanted) => {
      if (setUp !== undefined && !(await hasSharedTables(database))) await setUp();
      return await nameFor(database, { root, wanted, own, writerOf });
    },
    resolve: (name) => resolveName(database, checkName(name), own),
    open: async (record, seed) => {
      await openIndex(database, { record, seed }, own);
      const { name, modelId } = record;
      writes.invalidate([name]);
      return storeOf(name, { modelId, seed });
    },
    find: async (name) => {
      const record = await findRecord(database, checkName(name));
      return record && storeOf(name, { schema: record.publisher });
    },
    drop: (name) => dropIndex(database, name).finally(() => writes.invalidate([name])),
    vacuum: async () => {
      const names = writes.takeUnvacuumed();
      const tables = names.flatMap((name) => {
        const { chunks, vectors, files, parseResults, borrower, kept } = tablesOf(name);
        const optional = [...Object.values(borrower), ...Object.values(kept)];
        return [chunks, vectors, files, parseResults, ...optional];
      });
      await database.vacuum([...tables, "cocosearch_indexes", "cocosearch_embeddings"]);
      writes.invalidate(names);
    },
    suspend: async () => {
      await database.suspend?.();
    },
    close: async () => {
      await Promise.all([...writers.values()].map((writer) => writer.release()));
      await database.close();
    },
  };
}

async function readVersion(database: Database) {
  const [row] = await database.query<{ postgres: string; pgvector: string | null }>(
    `select current_setting('server_version') as postgres,
       (select extversion from pg_extension where extname = 'vector') as pgvector`,
  );
  return { postgres: row?.postgres ?? "unknown", pgvector: row?.pgvector ?? "missing" };
}

async function openIndex(
  database: Database,
  { record, seed }: { record: Parameters<Store["open"]>[0]; seed: IndexSeed | undefined },
  own: Installation,
): Promise<void> {
  const { name, root } = record;
  const tables = tablesOf(name);
  await database.transaction(async (tx) => {
    await lockIndex(tx, name);
    const stored = await findRecord(tx, name);
    if (stored === undefined) {
      // Tables without a row are left over from a damaged catalog.
      await dropTables(tx, tables);
      const keeper = own === undefined ? {} : { keeper: own };
      const created = { ...record, schemaVersion: SCHEMA_VERSION, ...keeper };
      await insertRecord(tx, created);
      await createTables(tx, tables);
      // A shared database has lanes in SQL, whose index over vectors is one of a table.
      const isBorrowing = database.exclusive === undefined;
      if (seed !== undefined) await takeOverFiles(tx, seed, created, isBorrowing);
    } else {
      checkOwner(stored, root, own);
      if (stored.worktreeOf !== record.worktreeOf) await updateWorktree(tx, record);
    }
  });
}

/** Removes an index: drops its tables and its catalog row. False if there was none. */
async function dropIndex(database: Database, name: string): Promise<boolean> {
  const tables = tablesOf(name);
  return await database.transaction(async (tx) => {
    await lockIndex(tx, name);
    await giveAllRows(tx, name, "files");
    await giveAllRows(tx, name, "history");
    const existed = await removeRecord(tx, name);
    if (existed) await dropTables(tx, tables);
    return existed;
  });
}
