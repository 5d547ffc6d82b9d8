/** The store over either database: the catalog and the indexes in it. */

import { Unavailable } from "../common/errors.ts";
import type { Store, WriterLock } from "../contracts/store.ts";
import { findRecord, insertRecord, listRecords, lockIndex, removeRecord } from "./catalog.ts";
import { SCHEMA_VERSION } from "./compatibility.ts";
import type { Database } from "./database.ts";
import { createEmbeddingCache } from "./embedding-cache.ts";
import { createIndexStore } from "./index-store.ts";
import { hasSharedTables } from "./migrate.ts";
import { alternativeName, checkName, nameFromFolder, tablesOf } from "./names.ts";
import { createTables, dropTables } from "./schema.ts";
import { createWriterLock } from "./writer-lock.ts";
import { readUntilWritten, Writes } from "./writes.ts";

/** `setUp` makes the shared tables again where others may have dropped them since. */
export function createStore(database: Database, setUp?: () => Promise<void>): Store {
  const writes = new Writes(database.exclusive === undefined);
  const writers = new Map<string, WriterLock>();
  const writerOf = (name: string) => {
    const known = writers.get(name) ?? createWriterLock(database, name);
    writers.set(name, known);
    return known;
  };
  return {
    place: database.place,
    embeddings: createEmbeddingCache(database),
    // No index is written to under this name: once is enough where the database is ours.
    version: readUntilWritten(writes, "", () => readVersion(database)),
    list: () => listRecords(database),
    nameFor: async (root, wanted) => {
      if (setUp !== undefined && !(await hasSharedTables(database))) await setUp();
      return await nameFor(database, root, wanted);
    },
    open: async (record) => {
      await openIndex(database, record);
      const { name, modelId } = record;
      writes.forget([name]);
      return createIndexStore(database, { name, writes, writer: writerOf(name), modelId });
    },
    find: async (name) => {
      const record = await findRecord(database, checkName(name));
      return record && createIndexStore(database, { name, writes, writer: writerOf(name) });
    },
    drop: (name) => dropIndex(database, name).finally(() => writes.forget([name])),
    vacuum: async () => {
      const names = writes.takeUnvacuumed();
      const tables = names.flatMap((name) => {
        const { chunks, vectors, files, parseResults } = tablesOf(name);
        return [chunks, vectors, files, parseResults];
      });
      await database.vacuum([...tables, "cocosearch_indexes", "cocosearch_embeddings"]);
      writes.forget(names);
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

/** The plain name, unless another root has it; a root that once had to take the other name keeps it. */
async function nameFor(database: Database, root: string, wanted: string): Promise<string> {
  const plain = wanted === "" ? nameFromFolder(root) : checkName(wanted);
  const other = alternativeName(plain, root);
  const taken = await findRecord(database, plain);
  if (taken?.root === root) return plain;
  if (taken !== undefined) return other;
  return (await findRecord(database, other)) === undefined ? plain : other;
}

async function openIndex(database: Database, record: Parameters<Store["open"]>[0]): Promise<void> {
  const { name, root } = record;
  const tables = tablesOf(name);
  await database.transaction(async (tx) => {
    await lockIndex(tx, name);
    const stored = await findRecord(tx, name);
    if (stored === undefined) {
      // Left over where the catalog was damaged; what they hold is unknown without its row.
      await dropTables(tx, tables);
      await insertRecord(tx, { ...record, schemaVersion: SCHEMA_VERSION });
      await createTables(tx, tables);
    } else if (stored.root !== root) {
      // Two folders of one name, opened at the same moment: the second has to ask for a name again.
      throw new Unavailable(
        `the index name "${name}" belongs to ${stored.root}`,
        "open the workspace again, or set another indexName",
      );
    }
  });
}

async function dropIndex(database: Database, name: string): Promise<boolean> {
  const tables = tablesOf(name);
  return await database.transaction(async (tx) => {
    await lockIndex(tx, name);
    const existed = await removeRecord(tx, name);
    if (existed) await dropTables(tx, tables);
    return existed;
  });
}
