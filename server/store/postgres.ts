/** A Postgres of the user's own, through a small pool. */

import { Pool, type PoolClient } from "pg";
import { messageOf, Unavailable } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Database, Parameter, Queryable } from "./database.ts";

/** One writes, others read; a shared server is not for one user alone. */
const CONNECTIONS = 4;
const CONNECT_MS = 5_000;

/** Codes and words by which a connection says that it is gone, refused or full. */
const GONE = /^(08|53|57P)|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|ENOENT|EHOSTUNREACH/;
const GONE_MESSAGE = /terminat|timeout|Connection|closed/i;

export class PostgresDatabase implements Database {
  readonly place: string;
  private readonly pool: Pool;

  constructor(url: string, log: Log) {
    this.place = placeOf(url);
    this.pool = new Pool({
      connectionString: url,
      max: CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: "cocosearch-lsp",
    });
    this.pool.on("error", (error) =>
      log.warn("an idle connection ended", { error: error.message }),
    );
  }

  async query<Row>(sql: string, parameters: readonly Parameter[] = []): Promise<Row[]> {
    return await this.orUnavailable(() => rowsOf<Row>(this.pool, sql, parameters));
  }

  async transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T> {
    const client = await this.orUnavailable(() => this.pool.connect());
    let broken = false;
    const onError = () => {
      broken = true;
    };
    client.on("error", onError);
    try {
      return await this.orUnavailable(async () => {
        await client.query("begin");
        const result = await run({ query: (sql, parameters) => rowsOf(client, sql, parameters) });
        await client.query("commit");
        return result;
      });
    } catch (error) {
      // A connection that cannot roll back is thrown away, and the server rolls back.
      await client.query("rollback").catch(onError);
      throw error;
    } finally {
      client.off("error", onError);
      client.release(broken);
    }
  }

  /** A server has its own housekeeping; statistics help the next plans. */
  async tidy(): Promise<void> {
    await this.query("analyze");
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async orUnavailable<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw this.asUnavailable(error);
    }
  }

  private asUnavailable(error: unknown): unknown {
    if (!(error instanceof Error) || error instanceof Unavailable) return error;
    const code = "code" in error ? String(error.code) : "";
    const refused = /^(28|3D)/.test(code);
    if (!refused && !GONE.test(code) && !(code === "" && GONE_MESSAGE.test(error.message)))
      return error;
    return new Unavailable(
      `the database ${this.place} does not answer (${messageOf(error) || code})`,
      refused ? "check COCOSEARCH_DATABASE_URL" : "start it, or check COCOSEARCH_DATABASE_URL",
      { cause: error },
    );
  }
}

async function rowsOf<Row>(
  client: Pool | PoolClient,
  sql: string,
  parameters: readonly Parameter[] = [],
): Promise<Row[]> {
  const { rows } =
    parameters.length === 0 ? await client.query(sql) : await client.query(sql, [...parameters]);
  return rows as Row[];
}

function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname}`;
  } catch (error) {
    throw new Unavailable("COCOSEARCH_DATABASE_URL is no URL", "write postgresql://HOST/DATABASE", {
      cause: error,
    });
  }
}
