/** A PgBouncer before the test server, from the program that is named by an environment variable. */

import { spawn } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { onTestFinished } from "vitest";
import { NO_POSTGRES } from "./databases.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { NOBODY } from "./own-postgres.ts";

/** PgBouncer 1.21 or later: earlier ones refuse `max_prepared_statements`. */
const PROGRAM = process.env["COCOSEARCH_TEST_PGBOUNCER"];

export const NO_PGBOUNCER =
  NO_POSTGRES ??
  (PROGRAM === undefined
    ? "skipped, because COCOSEARCH_TEST_PGBOUNCER names no PgBouncer"
    : undefined);

interface PoolOptions {
  readonly mode?: "transaction" | "statement";
  /** Connections of the server per user and database. */
  readonly size?: number;
}

/** Starts it for a database; its URLs for these URLs of the database. It ends with the test. */
export async function pgbouncer(
  urls: readonly string[],
  options: PoolOptions = {},
): Promise<string[]> {
  return (await ownPgbouncer(urls, options)).urls;
}

interface OwnPgbouncer {
  /** For the URLs of the database. */
  readonly urls: string[];
  start(): Promise<void>;
  /** Ends all connections, as a crash does. */
  stop(): Promise<void>;
}

/** The same, and it can be stopped and started. */
export async function ownPgbouncer(
  urls: readonly string[],
  { mode = "transaction", size = 20 }: PoolOptions = {},
): Promise<OwnPgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-pgbouncer-"));
  const port = await freePort();
  const server = new URL(urls[0] ?? "");
  const users = urls.map((url) => `"${new URL(url).username}" ""`);
  writeFileSync(join(folder, "users.txt"), `${users.join("\n")}\n`);
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, "users.txt")}
pool_mode = ${mode}
default_pool_size = ${size}
max_prepared_statements = 0
`,
  );
  chmodSync(folder, 0o755);
  if (NOBODY.uid !== undefined) chownSync(folder, NOBODY.uid, NOBODY.gid);
  const pooled = urls.map((url) => {
    const own = new URL(url);
    own.port = String(port);
    own.hostname = "127.0.0.1";
    return own.href;
  });
  let stop = async () => {};
  const start = async () => {
    const child = spawn(PROGRAM ?? "", [join(folder, "pgbouncer.ini")], {
      ...NOBODY,
      cwd: folder,
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    stop = async () => {
      child.kill("SIGKILL");
      await ended;
    };
    await eventually(async () => {
      const client = new pg.Client({ connectionString: pooled[0] });
      await client.connect();
      await client.end();
    });
  };
  onTestFinished(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });
  await start();
  return { urls: pooled, start, stop: () => stop() };
}
