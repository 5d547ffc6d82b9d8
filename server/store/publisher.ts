/**
 * Publishes indexes in a team's database. A publish is one transaction, so readers see the index of the earlier commit until
 * it ends, and a publisher that is killed leaves nothing behind.
 */

import { setTimeout as delay } from "node:timers/promises";
import { Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { SerialQueue } from "../common/serial-queue.ts";
import type { PublishedIndex, PublishedKey } from "../contracts/published.ts";
import type { EmbeddingCache, IndexStore } from "../contracts/store.ts";
import { removeRecord } from "./catalog.ts";
import { compatibility, SCHEMA_VERSION } from "./compatibility.ts";
import { type Database, type Queryable, queryForLong } from "./database.ts";
import { createEmbeddingCache } from "./embedding-cache.ts";
import { laneTablesOf } from "./lanes/lane-tables.ts";
import { isMigrated, migrate } from "./migrate.ts";
import { alternativeName, nameFromFolder, type Tables, tablesOf } from "./names.ts";
import { createPacked, readPacked, replacePacked } from "./packed-lanes.ts";
import { PostgresDatabase } from "./postgres.ts";
import { listPublished, removePublished, writePublished } from "./published.ts";
import { type Acting, actingFor, asRole, hasRights, letRead } from "./repository-rights.ts";
import { dropTables } from "./schema.ts";
import { createStore } from "./store.ts";
import { asTeamError, checkTeam, PUBLISHER, TEAM_VARIABLE } from "./team.ts";
import { createWords, replaceWords } from "./words.ts";

/** The owner of published indexes in the catalog: engines of all installations take it for another installation. */
const INSTALLATION = "published";

/** Distinguishes the lock of a publish from the locks of an index and of its writer. */
const LOCK_SEED = 2;
const LOCK_POLL_MS = 500;

/** Embedding 500 chunks takes a slow model minutes, and nothing is written meanwhile. */
const IDLE_TIMEOUT = "15min";
/** Dropping the tables of a replaced index waits this long for readers; the next publish tries again. */
const DROP_TIMEOUT = "10s";

type Keys = Parameters<typeof compatibility>[1];

/** An index that is being published. */
interface Publishing {
  /** Its commits also write the words of the files. */
  readonly store: IndexStore;
  /** The present publication, if the new one continues its rows. Undefined if every file is indexed. */
  readonly before: PublishedIndex | undefined;
  /** The parts of the stored lanes of the earlier commit. */
  readonly packed: AsyncIterable<Uint8Array>;
  /** Written outside of the transaction: what a publish has embedded before it failed is not embedded again. */
  readonly embeddings: EmbeddingCache;
}

/** The new state. Undefined if the commit was published before, so that nothing is written. */
type Published =
  | (Pick<PublishedIndex, "commit" | "files" | "chunks"> & {
      /** The parts of the lanes, called when all rows are written. Without it, members make the lanes from the rows. */
      readonly pack?: () => AsyncIterable<Uint8Array>;
    })
  | undefined;

/** Waiting for another publish of the same index. */
interface Turn {
  readonly signal: AbortSignal;
  /** Called if another one runs. */
  readonly waiting: () => void;
}

interface PublishOptions extends Turn {
  readonly key: PublishedKey;
  /** The model and the chunker of the rows. Rows that were made with others are not continued. */
  readonly keys: Keys;
}

export interface Publisher {
  /** Host, port and database. */
  readonly place: string;
  /** Calls `write` in the transaction. Resolves to the publication after it. */
  publish(
    options: PublishOptions,
    write: (publishing: Publishing) => Promise<Published>,
  ): Promise<PublishedIndex>;
  /** Removes the published indexes of a repository, optionally of one branch. Resolves to the removed publications. */
  remove(
    repository: string,
    branch: string | undefined,
    turn: Turn,
  ): Promise<readonly PublishedIndex[]>;
  close(): Promise<void>;
}

/** Rejects with Unavailable, also if the database was not set up for a team or the user may not publish. */
export async function openPublisher(url: string, log: Log): Promise<Publisher> {
  const database = new PostgresDatabase(url, log, TEAM_VARIABLE);
  try {
    await checkTeam(database);
    await bringUpToDate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const actAs = async (repository: string) => {
    const acting = await actingFor(database, repository);
    return { acting, asPublisher: publisherOf(database, acting) };
  };
  return {
    place: database.place,
    publish: async (options, write) => {
      const { acting, asPublisher } = await actAs(options.key.repository);
      const embeddings = createEmbeddingCache(asRole(database, acting));
      const published = await asPublisher((tx) =>
        publish(tx, { ...options, schema: acting.schema }, (publishing) =>
          write({ ...publishing, embeddings }),
        ),
      );
      await dropReplaced(asPublisher, log);
      return published;
    },
    remove: async (repository, branch, turn) => {
      const { asPublisher } = await actAs(repository);
      const isRemoved = (each: PublishedIndex) =>
        each.repository === repository && (branch === undefined || each.branch === branch);
      const removed = await asPublisher((tx) => unpublish(tx, isRemoved, turn));
      await dropReplaced(asPublisher, log);
      return removed;
    },
    close: () => database.close(),
  };
}

function publisherOf(database: Database, acting: Acting): AsPublisher {
  const { place } = database;
  return async (run) => {
    try {
      return await asRole(database, acting).transaction(run);
    } catch (error) {
      const remedy = `let its administrator run "grant ${acting.role} to USER" there for the user of ${TEAM_VARIABLE}`;
      throw asTeamError(error, place, remedy);
    }
  };
}

/**
 * Brings the shared tables up to date for a newer version of this program. Only then, because it locks them. Where rights are
 * per repository, only the administrator may.
 */
async function bringUpToDate(database: Database): Promise<void> {
  const { place } = database;
  if (!(await hasRights(database))) {
    const asPublisher = publisherOf(database, { role: PUBLISHER });
    await asPublisher(async (tx) => {
      if (!(await isMigrated(tx))) await migrate(tx, place);
    });
  } else if (!(await isMigrated(database))) {
    throw new Unavailable(
      `the tables of the team's database ${place} are of another version of cocosearch-lsp`,
      "install the same version everywhere, and let its administrator run cocosearch-lsp team init --per-repository",
    );
  }
}

interface OwnPublishOptions extends PublishOptions {
  /** The schema of the publisher, if it has one of its own. */
  readonly schema: string | undefined;
}

async function publish(
  tx: Queryable,
  { key, keys, schema, ...turn }: OwnPublishOptions,
  write: (publishing: Omit<Publishing, "embeddings">) => Promise<Published>,
): Promise<PublishedIndex> {
  await tx.query(`set local idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}'`);
  await waitForTurn(tx, key, turn);
  const published = await findPublished(tx, key);
  if (published !== undefined) refuseNewer(published);
  // The administrator may have given the repository to another role, which cannot write the rows.
  const isContinued =
    published !== undefined &&
    published.publisher === schema &&
    isUsable(published, keys) &&
    // To drop them would lock out the readers until the publish ends.
    (await laneTablesOf(tx, tablesOf(published.index).lanes)) !== "outdated";
  const database = alone(tx);
  const store = createStore(database, { installation: INSTALLATION });
  const name = isContinued ? published.index : newName(key, published?.index);
  const root = [key.repository, key.subfolder].filter((part) => part !== "").join("/");
  const index = await store.open({ name, root, ...keys });
  const tables = tablesOf(name);
  await createWords(tx, tables);
  await createPacked(tx, tables);
  const before = isContinued ? published : undefined;
  const packed = readPacked(database, tables);
  const written = await write({ store: withWords(index, database, tables), before, packed });
  if (schema !== undefined) await letRead(tx, tables);
  if (written !== undefined) {
    const { commit } = written;
    await index.update({ commit, branch: key.branch, state: "complete" });
    await writePublished(tx, { ...key, ...written, index: name });
    await replacePacked(tx, tables, written.pack?.() ?? []);
  }
  const now = await findPublished(tx, key);
  if (now === undefined) throw new Error(`nothing is published of ${key.repository}`);
  return now;
}

/**
 * Takes the lock that orders the publishes of one index, until the end of the transaction. Asks again and again instead of
 * waiting in the server, so that it can be cancelled.
 */
async function waitForTurn(
  tx: Queryable,
  { repository, subfolder, branch }: PublishedKey,
  { signal, waiting }: Turn,
): Promise<void> {
  const key = JSON.stringify([repository, subfolder, branch]);
  for (let isFirst = true; ; isFirst = false) {
    signal.throwIfAborted();
    const [row] = await tx.query<{ held: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended($1::text, ${LOCK_SEED})) as held`,
      [key],
    );
    if (row?.held === true) return;
    if (isFirst) waiting();
    await delay(LOCK_POLL_MS, undefined, { signal });
  }
}

async function findPublished(
  tx: Queryable,
  { repository, subfolder, branch }: PublishedKey,
): Promise<PublishedIndex | undefined> {
  return (await listPublished(tx)).find(
    (each) =>
      each.repository === repository && each.subfolder === subfolder && each.branch === branch,
  );
}

function refuseNewer({ repository, schemaVersion }: PublishedIndex): void {
  if (schemaVersion <= SCHEMA_VERSION) return;
  throw new Unavailable(
    `the index of ${repository} was published by a newer version of cocosearch-lsp`,
    "update cocosearch-lsp here",
  );
}

function isUsable({ index, ...published }: PublishedIndex, keys: Keys): boolean {
  return compatibility({ ...published, name: index }, keys).kind === "usable";
}

/** A rebuilt index has another name, because readers use the tables of the present one until the end of the transaction. */
function newName({ repository, subfolder, branch }: PublishedKey, present?: string): string {
  const name = alternativeName(
    nameFromFolder(repository),
    JSON.stringify([repository, subfolder, branch]),
  );
  return name === present ? `${name}.2` : name;
}

/** The database as the open transaction sees it. A connection answers one statement at a time. */
function alone(tx: Queryable): Database {
  const queue = new SerialQueue();
  const own: Queryable = {
    query: (sql, values) => queue.run(() => tx.query(sql, values)),
    buildIndex: (definition, memory) =>
      queue.run(async () => await tx.buildIndex?.(definition, memory)),
    queryForLong: (sql) => queue.run(() => queryForLong(tx, sql)),
  };
  return {
    ...own,
    place: "",
    transaction: (run) => run(own),
    vacuum: async () => undefined,
    close: async () => undefined,
  };
}

function withWords(store: IndexStore, tx: Queryable, tables: Tables): IndexStore {
  return {
    ...store,
    commit: async (files, removed) => {
      await store.commit(files, removed);
      await replaceWords(tx, tables, files, removed);
    },
  };
}

/** The tables are dropped afterwards, like the tables of a replaced index. */
async function unpublish(
  tx: Queryable,
  isRemoved: (published: PublishedIndex) => boolean,
  turn: Turn,
): Promise<readonly PublishedIndex[]> {
  const removed = (await listPublished(tx)).filter(isRemoved);
  for (const published of removed) {
    await waitForTurn(tx, published, turn);
    await removePublished(tx, published);
  }
  return removed;
}

type AsPublisher = <T>(run: (tx: Queryable) => Promise<T>) => Promise<T>;

/**
 * Drops the indexes that are not published any more: replaced, removed, or left by a publisher that was killed. One
 * transaction each. A failure does not fail the publish, which is committed: the next one tries again.
 */
async function dropReplaced(asPublisher: AsPublisher, log: Log): Promise<void> {
  for (const name of await asPublisher(listReplaced)) {
    try {
      await asPublisher((tx) => drop(tx, name));
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      log.warn("a replaced index is not dropped yet", { name, error: error.message });
    }
  }
}

/** An index that is being published for the first time is not visible yet. */
async function listReplaced(tx: Queryable): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `select name from cocosearch_indexes
     where installation = $1::text and name not in (select index_name from cocosearch_published)`,
    [INSTALLATION],
  );
  return rows.map(({ name }) => name);
}

async function drop(tx: Queryable, name: string): Promise<void> {
  await tx.query(`set local lock_timeout = '${DROP_TIMEOUT}'`);
  if (await removeRecord(tx, name)) await dropTables(tx, tablesOf(name));
}
