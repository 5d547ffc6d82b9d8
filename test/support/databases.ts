/** The two databases that every test of the store runs on: the built-in one, and a Postgres where one can be had. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { silent } from "../../server/log.ts";
import type { Store } from "../../server/ports.ts";
import { openEmbedded } from "../../server/store/embedded.ts";
import { openPostgres } from "../../server/store/external.ts";

/** A Postgres 15 or later with pgvector, in which databases may be made. */
export const POSTGRES_URL = process.env["COCOSEARCH_TEST_DATABASE_URL"];

export interface TestDatabase {
  readonly name: string;
  /** Why its tests are skipped; undefined when they run. */
  readonly missing: string | undefined;
  /** An empty database of its own. */
  create(): Promise<{ open(): Promise<Store>; dispose(): Promise<void> }>;
}

const embedded: TestDatabase = {
  name: "the built-in database",
  missing: undefined,
  create: async () => {
    const folder = mkdtempSync(join(tmpdir(), "cocosearch-store-"));
    const directory = join(folder, "postgres");
    return {
      open: () => openEmbedded({ directory, log: silent }),
      dispose: async () => rmSync(folder, { recursive: true }),
    };
  },
};

const native: TestDatabase = {
  name: "a native Postgres",
  missing:
    POSTGRES_URL === undefined ? "COCOSEARCH_TEST_DATABASE_URL names no Postgres" : undefined,
  create: async () => {
    const url = await createDatabase();
    return {
      open: () => openPostgres({ url, log: silent }),
      dispose: () => administer(`drop database "${new URL(url).pathname.slice(1)}" with (force)`),
    };
  },
};

export const DATABASES = [embedded, native];

/** A fresh database on the test server; its URL. */
export async function createDatabase(): Promise<string> {
  const name = `cocosearch_test_${process.pid}_${Date.now()}_${Math.floor(Math.random() * 1e6)}`;
  await administer(`create database "${name}"`);
  const url = new URL(POSTGRES_URL ?? "");
  url.pathname = `/${name}`;
  return url.href;
}

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
