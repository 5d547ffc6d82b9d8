/** The store over either database: the catalog and the indexes in it. */

import type { Store } from "../ports.ts";
import { findRecord, insertRecord, listRecords } from "./catalog.ts";
import { SCHEMA_VERSION } from "./compatibility.ts";
import type { Database } from "./database.ts";
import { createEmbeddingCache } from "./embedding-cache.ts";
import { createIndexStore } from "./index-store.ts";
import { createTables, dropTables } from "./index-tables.ts";
import { checkName, nameBeside, nameFromFolder, tablesOf } from "./names.ts";

export function createStore(database: Database): Store {
  return {
    place: database.place,
    embeddings: createEmbeddingCache(database),
    version: async () => {
      const [row] = await database.query<{ postgres: string; pgvector: string }>(
        `select current_setting('server_version') as postgres,
           (select extversion from pg_extension where extname = 'vector') as pgvector`,
      );
      return { postgres: row?.postgres ?? "unknown", pgvector: row?.pgvector ?? "missing" };
    },
    list: () => listRecords(database),
    nameFor: async (root, wanted) => {
      const plain = wanted === "" ? nameFromFolder(root) : checkName(wanted);
      const beside = nameBeside(plain, root);
      const taken = await findRecord(database, plain);
      if (taken === undefined) {
        return (await findRecord(database, beside)) === undefined ? plain : beside;
      }
      return taken.root === root ? plain : beside;
    },
    open: async (record) => {
      const { name } = record;
      await database.transaction(async (tx) => {
        await tx.query("select pg_advisory_xact_lock(hashtextextended($1::text, 1))", [name]);
        if ((await findRecord(tx, name)) !== undefined) return;
        await insertRecord(tx, { ...record, schemaVersion: SCHEMA_VERSION });
        await createTables(tx, tablesOf(name));
      });
      return createIndexStore(database, name);
    },
    find: async (name) => {
      const record = await findRecord(database, checkName(name));
      return record && createIndexStore(database, name);
    },
    drop: async (name) => {
      const tables = tablesOf(name);
      return await database.transaction(async (tx) => {
        const gone = await tx.query<{ name: string }>(
          "delete from cocosearch_indexes where name = $1::text returning name",
          [name],
        );
        if (gone.length > 0) await dropTables(tx, tables);
        return gone.length > 0;
      });
    },
    tidy: () => database.tidy(),
    close: () => database.close(),
  };
}
