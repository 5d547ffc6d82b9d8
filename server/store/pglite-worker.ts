/** The worker thread that runs PGlite, so that statements do not block the engine's thread. */

import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";

/** A request. Without `sql`, the database is shut down cleanly, so that the next start needs no recovery. */
export interface Ask {
  readonly sql?: string;
  readonly parameters: readonly unknown[];
}

export interface Failure {
  readonly message: string;
  /** The class of the error. */
  readonly name: string;
  /** The SQLSTATE; undefined for an error that did not come from Postgres. */
  readonly code?: string;
  /** ERROR, FATAL or PANIC. */
  readonly severity?: string;
}

/** One answer per request, in order. A first one without a request reports that the database is open, with the OID of pgvector's type. */
export type Answer = { readonly rows: unknown[] } | { readonly error: Failure };

/** Fixed by Postgres (pg_type.dat). */
const BYTES_ARRAY_OID = 1001;
const INT_ARRAY_OID = 1007;
const TEXT_ARRAY_OID = 1009;

const START = [
  ...PGlite.defaultStartParams,
  // 184 MB of memory instead of 280, at the same speed.
  "-c",
  "shared_buffers=16MB",
  // Samples 3,000 rows instead of 30,000: `analyze` after a first index of rails takes .2 s instead of .6.
  "-c",
  "default_statistics_target=10",
  // Lets a checkpoint free the log before it.
  "-c",
  "max_wal_size=64MB",
  // Deletes old log segments instead of recycling them, which would keep 60 MB after a first index.
  "-c",
  "wal_recycle=off",
  // Postgres keeps files open for reuse. Above the limit of the process, PGlite would create files that it cannot open.
  "-c",
  "max_files_per_process=160",
];

const port = parentPort;
if (port === null) throw new Error("pglite-worker.ts runs in a worker thread");

function failureOf(error: unknown): Failure {
  // The file system of PGlite throws objects that are not errors.
  if (!(error instanceof Error)) return { message: JSON.stringify(error), name: typeof error };
  return {
    message: error.message,
    name: error.name,
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...("severity" in error && typeof error.severity === "string"
      ? { severity: error.severity }
      : {}),
  };
}

async function answer(run: () => Promise<unknown[]>): Promise<Answer> {
  try {
    return { rows: await run() };
  } catch (error) {
    return { error: failureOf(error) };
  }
}

async function open(directory: string) {
  const db = await PGlite.create({
    dataDir: directory,
    extensions: { vector },
    startParams: START,
  });
  await db.exec("create extension if not exists vector");
  const { rows } = await db.query<{ one: number; many: number }>(
    "select 'vector'::regtype::oid::int as one, 'vector[]'::regtype::oid::int as many",
  );
  const oids = rows[0] ?? { one: 0, many: 0 };
  // Columns are already in Postgres' binary format, although PGlite's types allow only text.
  const asItIs = ((value: unknown) => value) as (value: unknown) => string;
  const arrays = [BYTES_ARRAY_OID, INT_ARRAY_OID, TEXT_ARRAY_OID, oids.many];
  const serializers = Object.fromEntries(arrays.map((oid) => [oid, asItIs]));
  return { db, serializers, vectorOid: oids.one };
}

const { directory } = workerData as { directory: string };
let opened: Awaited<ReturnType<typeof open>> | undefined;

port.on("message", ({ sql, parameters }: Ask) => {
  void answer(async () => {
    if (opened === undefined) throw new Error("the database is not open");
    if (sql === undefined) await opened.db.close();
    else if (parameters.length === 0) return (await opened.db.exec(sql)).at(-1)?.rows ?? [];
    else {
      const { db, serializers } = opened;
      return (await db.query(sql, [...parameters], { serializers })).rows;
    }
    return [];
  }).then((answered) => port.postMessage(answered));
});

port.postMessage(
  await answer(async () => {
    opened = await open(directory);
    return [{ vectorOid: opened.vectorOid }];
  }),
);
