/** A Postgres server of the test's own, which can be stopped and started: from the programs that are named by an environment variable. */

import { execFile } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);

/** The folder with initdb and pg_ctl of a Postgres 15 or later with pgvector. */
const PROGRAMS = process.env["COCOSEARCH_TEST_POSTGRES_BIN"];

export const NO_PROGRAMS =
  PROGRAMS === undefined
    ? "skipped, because COCOSEARCH_TEST_POSTGRES_BIN names no folder with pg_ctl"
    : undefined;

/** Postgres and PgBouncer refuse to run as root, so they run as the user `nobody`. */
export const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Runs a client program of Postgres, such as pg_dump. */
export async function postgresClient(name: string, ...args: readonly string[]): Promise<void> {
  await run(join(PROGRAMS ?? "", name), [...args], { maxBuffer: 10_000_000 });
}

export interface OwnPostgres {
  /** The address of the database that initdb makes. */
  readonly url: string;
  /** The folder with its configuration files. */
  readonly data: string;
  start(): Promise<void>;
  /** `immediate` is a crash: the next start has to recover. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  dispose(): Promise<void>;
}

/** Running. */
export async function ownPostgres(): Promise<OwnPostgres> {
  return await started(async ({ program }) => {
    await program("initdb", ..."-U postgres -A trust -E UTF8 --locale=C --no-sync".split(" "));
  });
}

/** A running streaming replica of this server. */
export async function replicaOf({ url }: OwnPostgres): Promise<OwnPostgres> {
  return await started(async ({ program }) => {
    await program(
      "pg_basebackup",
      `--dbname=${url}`,
      "-R",
      "-X",
      "stream",
      "-c",
      "fast",
      "--no-sync",
    );
  });
}

interface Folder {
  /** Runs a program with the data folder. */
  program(name: string, ...args: readonly string[]): Promise<void>;
}

async function started(fill: (folder: Folder) => Promise<void>): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-postgres-"));
  if (NOBODY.uid !== undefined) chownSync(folder, NOBODY.uid, NOBODY.gid);
  chmodSync(folder, 0o755);
  const data = join(folder, "data");
  const port = await freePort();
  const log = join(folder, "log");
  const program: Folder["program"] = async (name, ...args) => {
    await run(join(PROGRAMS ?? "", name), ["-D", data, ...args], { ...NOBODY, cwd: folder });
  };
  const listening = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
  const start = () => program("pg_ctl", "-w", "-l", log, "-o", listening, "start");
  const stop = (mode: string) => program("pg_ctl", "-w", "-m", mode, "stop");
  await fill({ program });
  await start();
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    data,
    start,
    stop,
    dispose: async () => {
      // A test that failed may have stopped it.
      if (existsSync(join(data, "postmaster.pid"))) await stop("immediate");
      rmSync(folder, { recursive: true });
    },
  };
}
