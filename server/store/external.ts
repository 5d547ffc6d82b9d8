/** Opens the user's Postgres after checking its version, encoding, pgvector and privileges. */

import { messageOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { Store } from "../contracts/store.ts";
import { type Database, type Queryable, sqlStateOf } from "./database.ts";
import { lockSetup, migrate } from "./migrate.ts";
import { PostgresDatabase } from "./postgres.ts";
import { createStore } from "./store.ts";

/** The oldest version with all features that the statements use. */
const MIN_POSTGRES = 150_000;
/** The oldest version that the lanes were measured with. */
const MIN_PGVECTOR = { major: 0, minor: 7 };

export interface PostgresOptions {
  readonly url: string;
  /** The id of this installation, which owns the indexes that it creates. */
  readonly installation: string;
  readonly log: Log;
}

export async function openPostgres({ url, installation, log }: PostgresOptions): Promise<Store> {
  const database = new PostgresDatabase(url, log);
  try {
    await setUp(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return createStore(database, { setUp: () => setUp(database), installation });
}

async function setUp(database: Database): Promise<void> {
  const { place } = database;
  try {
    await checkServer(database);
    await database.transaction((tx) => checkPgvector(tx, place));
    await database.transaction((tx) => migrate(tx, place));
  } catch (error) {
    throw asMissingRight(error, place);
  }
}

export async function checkServer(database: Database): Promise<void> {
  const [server] = await database.query<{ number: number; version: string; encoding: string }>(
    `select current_setting('server_version_num')::int as number,
       current_setting('server_version') as version, current_setting('server_encoding') as encoding`,
  );
  const { place } = database;
  if (server === undefined || server.number < MIN_POSTGRES) {
    throw new Unavailable(
      `the database ${place} is Postgres ${server?.version}`,
      "use Postgres 15 or later",
    );
  }
  if (server.encoding !== "UTF8") {
    throw new Unavailable(
      `the database ${place} has the encoding ${server.encoding}`,
      "create one with \"create database NAME encoding 'UTF8' template template0\"",
    );
  }
}

export async function checkPgvector(tx: Queryable, place: string): Promise<void> {
  await lockSetup(tx);
  const version = (await installedVersion(tx)) ?? (await install(tx, place)) ?? "0.0";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOlder =
    major < MIN_PGVECTOR.major || (major === MIN_PGVECTOR.major && minor < MIN_PGVECTOR.minor);
  if (isOlder) {
    throw new Unavailable(
      `the database ${place} has pgvector ${version}`,
      'install 0.7 or later and run "alter extension vector update" there',
    );
  }
  const schema = await hiddenSchema(tx);
  if (schema !== undefined) {
    throw new Unavailable(
      `the database ${place} has pgvector in the schema ${schema}, which is not in the user's search_path`,
      `add ${schema} to the user's search_path: "alter role USER set search_path = public, ${schema}"`,
    );
  }
}

/** The schema of the extension if it is not in the search_path. */
async function hiddenSchema(tx: Queryable): Promise<string | undefined> {
  const [row] = await tx.query<{ schema: string; isVisible: boolean }>(
    `select extnamespace::regnamespace::text as schema, to_regtype('vector') is not null as "isVisible"
     from pg_extension where extname = 'vector'`,
  );
  return row?.isVisible === false ? row.schema : undefined;
}

async function installedVersion(tx: Queryable): Promise<string | undefined> {
  const [row] = await tx.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'vector'",
  );
  return row?.version;
}

async function install(tx: Queryable, place: string): Promise<string | undefined> {
  try {
    await tx.query("create extension vector");
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw new Unavailable(
      `the database ${place} has no pgvector (${messageOf(error)})`,
      'install pgvector on its server and run "create extension vector" there as an administrator',
      { cause: error },
    );
  }
  return await installedVersion(tx);
}

/** insufficient_privilege */
function asMissingRight(error: unknown, place: string): unknown {
  if (sqlStateOf(error) !== "42501") return error;
  return new Unavailable(
    `the database ${place} denies a privilege (${messageOf(error)})`,
    'run "grant create on schema public to USER" there, or use a database of your own',
    { cause: error },
  );
}
