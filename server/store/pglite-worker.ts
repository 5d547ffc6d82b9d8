/** The thread in which PGlite runs: one statement after the other, so that the engine's own thread always answers. */

import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";

/** Without a statement: shut down in order, so that the next start has nothing to recover. */
export interface Ask {
  readonly sql?: string;
  readonly parameters: readonly unknown[];
}

export interface Failure {
  readonly message: string;
  /** The class of the error, for what did not come from Postgres. */
  readonly name: string;
  /** The SQLSTATE; undefined for what did not come from Postgres. */
  readonly code?: string;
  /** ERROR, FATAL or PANIC. */
  readonly severity?: string;
}

/** One for each ask, in order. The first, unasked, says that the database is open, with the number of pgvector's type. */
export type Answer = { readonly rows: unknown[] } | { readonly error: Failure };

/** Fixed by Postgres (pg_type.dat). */
const BYTES_ARRAY_OID = 1001;
const INT_ARRAY_OID = 1007;
const TEXT_ARRAY_OID = 1009;

const START = [
  ...PGlite.defaultStartParams,
  // 184 MB of memory instead of 280; loading is no slower.
  "-c",
  "shared_buffers=16MB",
  // Statistics of 3,000 rows and not 30,000, with all of their texts: after a first index of rails .2 s instead of .6.
  "-c",
  "default_statistics_target=10",
  // A checkpoint then gives back what was written before it.
  "-c",
  "max_wal_size=64MB",
  // It deletes the log that is not needed any more: kept for what comes, it is 60 MB after a first index.
  "-c",
  "wal_recycle=off",
  // Postgres keeps files open for the next time. Past the limit of the process, PGlite makes files that it cannot open.
  "-c",
  "max_files_per_process=160",
];

const port = parentPort;
if (port === null) throw new Error("pglite-worker.ts runs in a worker thread");

function failureOf(error: unknown): Failure {
  // The file system of PGlite throws bare objects.
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
  // Columns come in Postgres' binary form and are passed on as they are; the types know only text.
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
