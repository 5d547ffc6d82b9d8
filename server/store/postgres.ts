/** Adapter for the user's Postgres, with a small connection pool. */

import { type Client, DatabaseError, Pool, type PoolClient, type QueryConfig } from "pg";
import { messageOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { encodeColumn } from "./binary-format.ts";
import { cancelStatement } from "./cancel-statement.ts";
import {
  type Database,
  type Exclusive,
  isMissingTable,
  type Queryable,
  type SqlParameter,
  sqlStateOf,
} from "./database.ts";
import { connectDedicated, isPooled } from "./dedicated-connection.ts";

/** One writes while others read. Few, because the server may be shared. */
const CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 5_000;
/** A connection that was cut silently would never answer; the longest statement takes seconds. */
const QUERY_TIMEOUT_MS = 120_000;
/** Enough to build an HNSW index over a million vectors, or to count their words. */
const LONG_TIMEOUT_MS = 6 * 3_600_000;
/**
 * An engine that is suspended in a transaction must not block other engines by its locks. Set by each transaction, because a
 * pooler (PgBouncer) refuses it as a parameter of the connection.
 */
const BEGIN = "begin; set local idle_in_transaction_session_timeout = '60s'";

type Target = Pool | PoolClient | Client;

export class PostgresDatabase implements Database {
  readonly place: string;
  readonly #url: string;
  readonly #remedies: Remedies;
  readonly #pool: Pool;
  #vectorOid: Promise<number> | undefined;

  /** `timeoutMs` is the limit of a statement; a test has a shorter one. */
  constructor(
    url: string,
    log: Log,
    variable = "COCOSEARCH_DATABASE_URL",
    timeoutMs = QUERY_TIMEOUT_MS,
  ) {
    this.place = placeOf(url, variable);
    this.#url = url;
    this.#remedies = remediesOf(url, variable);
    this.#pool = new Pool({
      connectionString: url,
      max: CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: timeoutMs,
      keepAlive: true,
      application_name: "cocosearch-lsp",
    });
    this.#pool.on("error", (error) =>
      log.warn("an idle connection ended", { error: error.message }),
    );
  }

  async query<Row>(sql: string, parameters: readonly SqlParameter[] = []): Promise<Row[]> {
    return await this.#ask<Row>(this.#pool, sql, parameters);
  }

  async transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T> {
    return await this.#during(undefined, (client) => this.#transaction(client, run));
  }

  until(signal: AbortSignal): Database {
    return {
      place: this.place,
      query: <Row>(sql: string, parameters?: readonly SqlParameter[]) =>
        this.#during(signal, (client) => this.#ask<Row>(client, sql, parameters)),
      transaction: (run) => this.#during(signal, (client) => this.#transaction(client, run)),
      vacuum: (tables) => this.vacuum(tables),
      close: () => this.close(),
    };
  }

  /** Lends a connection. One with a cancelled statement is closed, because the request may reach the server after the statement. */
  async #during<T>(
    signal: AbortSignal | undefined,
    run: (client: PoolClient) => Promise<T>,
  ): Promise<T> {
    const client = await this.#connect();
    const isCancelled = () => signal?.aborted === true;
    if (isCancelled()) {
      client.release();
      throw signal?.reason;
    }
    const cancel = () => cancelStatement(client);
    signal?.addEventListener("abort", cancel);
    // Without a listener, a connection error between two statements would end the process. The next statement fails anyway.
    const onError = () => undefined;
    client.on("error", onError);
    try {
      const result = await run(client);
      client.release(isCancelled());
      return result;
    } catch (error) {
      if (isCancelled()) client.release(true);
      else await this.#rollBack(client, error);
      throw error;
    } finally {
      signal?.removeEventListener("abort", cancel);
      client.off("error", onError);
    }
  }

  async #transaction<T>(client: PoolClient, run: (tx: Queryable) => Promise<T>): Promise<T> {
    await this.#ask(client, BEGIN);
    const result = await run({
      query: async (sql, parameters) => await this.#ask(client, sql, parameters),
      buildIndex: async (definition, memory) => {
        await this.#ask(client, `set local maintenance_work_mem = ${kilobytes(memory)}`);
        await this.#askForLong(client, `create index ${definition}`);
      },
      queryForLong: async (sql) => await this.#askForLong(client, sql),
    });
    await this.#ask(client, "commit");
    return result;
  }

  async exclusive(): Promise<Exclusive> {
    return await connectDedicated(this.#url, CONNECT_TIMEOUT_MS, (error) =>
      this.#asUnavailable(error),
    );
  }

  async buildIndex(definition: string, memory: number): Promise<void> {
    const client = await this.#connect();
    try {
      // Behind a pooler, the next statement may have another connection, and another client this one.
      const isOwn = !(await isPooled(client));
      if (isOwn) await client.query(`set maintenance_work_mem = ${kilobytes(memory)}`);
      await this.#askForLong(client, `create index concurrently ${definition}`);
      if (isOwn) await client.query("reset maintenance_work_mem");
      client.release();
    } catch (error) {
      client.release(true);
      throw this.#asUnavailable(error);
    }
  }

  async #askForLong(client: PoolClient, sql: string): Promise<void> {
    try {
      await client.query({ text: sql, query_timeout: LONG_TIMEOUT_MS } as QueryConfig);
    } catch (error) {
      throw this.#asUnavailable(error);
    }
  }

  /** Updates statistics only, because a server has autovacuum. */
  async vacuum(tables: readonly string[]): Promise<void> {
    for (const table of tables) {
      try {
        await this.query(`analyze ${table}`);
      } catch (error) {
        if (!isMissingTable(error)) throw error;
      }
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw this.#asUnavailable(error);
    }
  }

  /** Closes a connection that may be broken; the server then rolls back. */
  async #rollBack(client: PoolClient, error: unknown): Promise<void> {
    if (error instanceof Unavailable) {
      client.release(true);
      return;
    }
    try {
      await client.query("rollback");
      client.release();
    } catch (failed) {
      client.release(failed instanceof Error ? failed : true);
    }
  }

  async #ask<Row>(
    client: Target,
    sql: string,
    parameters: readonly SqlParameter[] = [],
  ): Promise<Row[]> {
    const values = await this.#encode(client, parameters);
    try {
      // Without values, the text may have several statements, as migrations do.
      const { rows } =
        values.length === 0 ? await client.query(sql) : await client.query(sql, values);
      return rows as Row[];
    } catch (error) {
      // The extension may have been recreated, with another OID for its type.
      this.#vectorOid = undefined;
      throw this.#asUnavailable(error);
    }
  }

  async #encode(client: Target, parameters: readonly SqlParameter[]): Promise<unknown[]> {
    const hasVectors = parameters.some(
      (each) => typeof each === "object" && each?.type === "vector",
    );
    const oid = hasVectors ? await this.#findVectorOid(client) : 0;
    return parameters.map((each) =>
      typeof each === "object" && each !== null ? encodeColumn(each, oid) : each,
    );
  }

  /** Cached: the OID of pgvector's type differs between databases. */
  async #findVectorOid(client: Target): Promise<number> {
    this.#vectorOid ??= this.#ask<{ oid: number }>(
      client,
      "select 'vector'::regtype::oid as oid",
    ).then(([row]) => row?.oid ?? 0);
    try {
      return await this.#vectorOid;
    } catch (error) {
      this.#vectorOid = undefined;
      throw error;
    }
  }

  /** Turns connection errors into Unavailable with a remedy; returns errors of statements unchanged. */
  #asUnavailable(error: unknown): unknown {
    const remedy = remedyFor(error, this.#remedies);
    if (remedy === undefined) return error;
    const said = messageOf(error) || (error instanceof Error && "code" in error ? error.code : "");
    return new Unavailable(`the database ${this.place} does not answer (${String(said)})`, remedy, {
      cause: error,
    });
  }
}

/** The unit of settings for memory. */
function kilobytes(bytes: number): number {
  return Math.ceil(bytes / 1024);
}

interface Remedies {
  /** By SQLSTATE, or its class, the first two characters. */
  readonly byState: Readonly<Record<string, string>>;
  readonly unreachable: string;
  readonly unknownIssuer: string;
  readonly otherName: string;
}

/** `variable` sets the URL. */
function remediesOf(url: string, variable: string): Remedies {
  const asksForTls = url.includes("sslmode=");
  const unreachable = `start it${asksForTls ? " with TLS" : ""}, or check ${variable}`;
  const password = `check user and password in ${variable}`;
  return {
    unreachable,
    // The driver treats sslmode=require as verify-full.
    unknownIssuer: `add sslrootcert=FILE with the certificate of its issuer to ${variable}, or sslmode=no-verify`,
    otherName: `use a host name of its certificate in ${variable}`,
    byState: {
      // PgBouncer sends it for a pool without free connections, and for a pool_mode without transactions.
      "08P01": `see the log of the pooler, which needs pool_mode = transaction and free connections, or check ${variable}`,
      "08": unreachable,
      "25006": "use a writable server, not a replica",
      // No rule of the server's pg_hba.conf fits, for example because all of them are for TLS.
      "28000": asksForTls ? password : `add sslmode=verify-full if it demands TLS, or ${password}`,
      "28": password,
      "3D": `create this database, or check ${variable}`,
      "40": "try again",
      "53": "free some space, memory or connections on its server",
      // query_canceled
      "57014": `raise the statement_timeout of the user in ${variable}: "alter role USER set statement_timeout = '2min'", and try again`,
      "57": unreachable,
      "58030": "see the log of its server",
    },
  };
}

function remedyFor(error: unknown, remedies: Remedies): string | undefined {
  if (error instanceof DatabaseError) {
    const state = sqlStateOf(error) ?? "";
    return remedies.byState[state] ?? remedies.byState[state.slice(0, 2)];
  }
  // TypeError and RangeError are programming errors; all other errors of the driver concern the connection.
  if (error instanceof TypeError || error instanceof RangeError) return undefined;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return remedies.otherName;
  return /CERT|SIGNATURE/.test(code) ? remedies.unknownIssuer : remedies.unreachable;
}

/** Host, port and database, without user and password. A parse error is not passed on as the cause, because it contains the URL. */
function placeOf(url: string, variable: string): string {
  // Without a host, the driver and libpq use a socket, in the folder of the parameter `host`.
  const isWhole = URL.canParse(url);
  const whole = isWhole ? url : url.replace("@/", "@localhost/");
  if (!URL.canParse(whole)) {
    throw new Unavailable(`${variable} is not a URL`, "set it to postgresql://HOST/DATABASE");
  }
  const { host, pathname, searchParams } = new URL(whole);
  return `${(isWhole && host) || searchParams.get("host") || "localhost"}${pathname}`;
}
