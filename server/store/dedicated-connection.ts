/** A connection that holds an advisory lock, also behind a pooler that gives each transaction another connection. */

import { Client, type ClientBase } from "pg";
import type { Exclusive } from "./database.ts";

/** Makes the server detect a lost machine within ten seconds, and release its locks. */
const DETECT_DEAD_PEERS =
  "set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3";

/** The settings that end an idle transaction. Not every version of Postgres has both. */
const TIMEOUTS = ["idle_in_transaction_session_timeout", "transaction_timeout"];

/** `asUnavailable` converts the errors of connecting and of statements. */
export async function connectDedicated(
  url: string,
  timeoutMs: number,
  asUnavailable: (error: unknown) => unknown,
): Promise<Exclusive> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    application_name: "cocosearch-lsp writer",
  });
  // Without a listener, the error would end the process. The next statement fails with it anyway.
  client.on("error", () => undefined);
  let tryLock = lockInSession;
  try {
    await client.connect();
    if (await isPooled(client)) tryLock = lockInTransaction;
    else await client.query(DETECT_DEAD_PEERS);
  } catch (error) {
    throw asUnavailable(error);
  }
  return {
    tryLock: async (name, seed) => {
      try {
        return await tryLock(client, name, seed);
      } catch (error) {
        // A transaction that failed answers nothing more; the next attempt connects again.
        void client.end();
        throw asUnavailable(error);
      }
    },
    onLost: (lost) => void client.once("end", lost),
    close: async () => await client.end(),
  };
}

/** The process that a pooler names to its clients is not the process that answers. */
export async function isPooled(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid !== (client as ClientBase & { readonly processID: number }).processID;
}

type TryLock = (client: Client, name: string, seed: number) => Promise<boolean>;

const lockInSession: TryLock = (client, name, seed) =>
  isHeld(client, "pg_try_advisory_lock", name, seed);

/**
 * Holds the lock by a transaction that stays open, because a pooler would give the session with the lock to another client.
 * The transaction has no snapshot, so it does not keep the server from removing dead rows. Without the lock it ends, so that
 * waiting engines use no connection of the server.
 */
const lockInTransaction: TryLock = async (client, name, seed) => {
  await client.query("begin");
  await client.query(
    "select set_config(name, '0', true) from pg_settings where name = any ($1::text[])",
    [TIMEOUTS],
  );
  const held = await isHeld(client, "pg_try_advisory_xact_lock", name, seed);
  // A statement without parameters closes the portal of the last one, which would keep its snapshot.
  await client.query(held ? "select 1" : "rollback");
  return held;
};

async function isHeld(
  client: Client,
  tryLock: string,
  name: string,
  seed: number,
): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    `select ${tryLock}(hashtextextended($1::text, $2::bigint)) as held`,
    [name, seed],
  );
  return rows[0]?.held === true;
}
