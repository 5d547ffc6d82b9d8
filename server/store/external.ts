/** Opens a Postgres of the user's own, after checking that it can do what is needed. */

import { messageOf, Unavailable } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Store } from "../ports.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { PostgresDatabase } from "./postgres.ts";
import { createStore } from "./store.ts";

/** The first with everything that the statements use. */
const OLDEST_POSTGRES = 150_000;
/** The first whose vectors and iterative scans the lanes were measured with. */
const OLDEST_PGVECTOR = [0, 7];

export async function openPostgres({ url, log }: { url: string; log: Log }): Promise<Store> {
  const database = new PostgresDatabase(url, log);
  try {
    await checkServer(database);
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return createStore(database);
}

async function checkServer(database: Database): Promise<void> {
  const [server] = await database.query<{ number: number; version: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as version",
  );
  if (server === undefined || server.number < OLDEST_POSTGRES) {
    throw new Unavailable(
      `the database ${database.place} is Postgres ${server?.version}`,
      "use Postgres 15 or later",
    );
  }
  const extension = await installedPgvector(database);
  const [major = 0, minor = 0] = extension.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_PGVECTOR;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    throw new Unavailable(
      `the database ${database.place} has pgvector ${extension}`,
      'update it to 0.7 or later and run "alter extension vector update" there',
    );
  }
}

async function installedPgvector(database: Database): Promise<string> {
  const version = "select extversion as version from pg_extension where extname = 'vector'";
  const [present] = await database.query<{ version: string }>(version);
  if (present !== undefined) return present.version;
  try {
    await database.query("create extension if not exists vector");
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw new Unavailable(
      `the database ${database.place} has no pgvector (${messageOf(error)})`,
      'install pgvector and run "create extension vector" there as its owner',
      { cause: error },
    );
  }
  const [made] = await database.query<{ version: string }>(version);
  return made?.version ?? "0";
}
