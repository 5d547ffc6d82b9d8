/** The two databases that every test of the store runs on: the built-in one, and a Postgres where one can be had. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { Store } from "../../server/contracts/store.ts";
import type { Database } from "../../server/store/database.ts";
import { openEmbedded } from "../../server/store/embedded.ts";
import { openPostgres } from "../../server/store/external.ts";
import { PgliteDatabase } from "../../server/store/pglite.ts";
import { PostgresDatabase } from "../../server/store/postgres.ts";

/** A Postgres 15 or later with pgvector, where the user may create databases. */
export const POSTGRES_URL = process.env["COCOSEARCH_TEST_DATABASE_URL"];

/** The installation of the engines in tests that need no second one. */
export const INSTALLATION = "00000000-0000-4000-8000-000000000000";

/** Why tests that need a Postgres are skipped; undefined when they run. */
export const NO_POSTGRES =
  POSTGRES_URL === undefined
    ? "skipped, because COCOSEARCH_TEST_DATABASE_URL names no Postgres"
    : undefined;

/** An empty database of its own. The built-in one can be open only once at a time. */
export interface FreshDatabase {
  open(): Promise<Store>;
  /** Beneath the store, for what only its statements see. */
  openBare(): Database;
  dispose(): Promise<void>;
}

interface TestDatabase {
  readonly name: string;
  readonly missing: string | undefined;
  create(): Promise<FreshDatabase>;
}

const embedded: TestDatabase = {
  name: "the built-in database",
  missing: undefined,
  create: async () => {
    const folder = mkdtempSync(join(tmpdir(), "cocosearch-store-"));
    const directory = join(folder, "postgres");
    return {
      open: () => openEmbedded({ directory, log: silent }),
      openBare: () => new PgliteDatabase({ directory, log: silent }),
      dispose: async () => rmSync(folder, { recursive: true }),
    };
  },
};

const native: TestDatabase = {
  name: "a native Postgres",
  missing: NO_POSTGRES,
  create: async () => {
    const url = await createDatabase();
    return {
      open: () => openPostgres({ url, installation: INSTALLATION, log: silent }),
      openBare: () => new PostgresDatabase(url, silent),
      dispose: () => dropDatabase(url),
    };
  },
};

export const DATABASES = [embedded, native];

/** The open store of a `describe`. */
interface OpenStore {
  readonly store: Store;
  /** Opens the store again, after other statements were run beneath it. Of the built-in database only one may be open. */
  reopen(beneath?: (database: Database) => Promise<unknown>): Promise<void>;
}

/** Tests of a store in each database: one database for all of them. */
export function describeStores(name: string, tests: (opened: OpenStore) => void): void {
  describe.each(DATABASES)(`${name} in $name`, ({ missing, create }) => {
    describe.skipIf(missing !== undefined)(missing ?? "", () => {
      let database: FreshDatabase;
      let store: Store | undefined;
      const close = async () => {
        await store?.close();
        store = undefined;
      };
      beforeAll(async () => {
        database = await create();
        store = await database.open();
      });
      afterAll(async () => {
        await close();
        await database.dispose();
      });
      tests({
        get store() {
          if (store === undefined) throw new Error("the store was not opened");
          return store;
        },
        reopen: async (beneath) => {
          await close();
          const bare = database.openBare();
          try {
            await beneath?.(bare);
          } finally {
            await bare.close();
          }
          store = await database.open();
        },
      });
    });
  });
}

/** A fresh database on the test server; its URL. */
export async function createDatabase(options = ""): Promise<string> {
  const name = `cocosearch_test_${process.pid}_${Date.now()}_${Math.floor(Math.random() * 1e6)}`;
  await administer(`create database "${name}" ${options}`);
  const url = new URL(POSTGRES_URL ?? "");
  url.pathname = `/${name}`;
  return url.href;
}

export async function dropDatabase(url: string): Promise<void> {
  await administer(`drop database "${new URL(url).pathname.slice(1)}" with (force)`);
}

/** Runs statements as the test server's administrator. */
export async function administer(sql: string, url = POSTGRES_URL): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
