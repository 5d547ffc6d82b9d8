/** The thread in which PGlite runs: one statement after the other, so that the engine's own thread always answers. */

import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";

export interface Ask {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type Answer =
  | { readonly id: number; readonly rows: unknown[] }
  | { readonly id: number; readonly error: { readonly message: string; readonly code?: string } };

const START = [
  ...PGlite.defaultStartParams,
  // 184 MB of memory instead of 280; loading is no slower.
  "-c",
  "shared_buffers=16MB",
  // A checkpoint then gives back what was written before it.
  "-c",
  "max_wal_size=64MB",
];

const port = parentPort;
if (port === null) throw new Error("pglite-worker.ts runs in a worker thread");

const { directory } = workerData as { directory: string };

function failure(error: unknown): { message: string; code?: string } {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return code === undefined ? { message } : { message, code };
}

try {
  const db = await PGlite.create({
    dataDir: directory,
    extensions: { vector },
    startParams: START,
  });
  await db.exec("create extension if not exists vector");
  const { rows } = await db.query<{ oid: number }>("select 'vector'::regtype::oid as oid");
  // Vectors come in the type's own binary form and are passed on as they are; the types know only text.
  const asItIs = ((value: unknown) => value) as (value: unknown) => string;
  const serializers = { [Number(rows[0]?.oid)]: asItIs };
  const answer = async ({ id, sql, parameters }: Ask): Promise<Answer> => {
    try {
      const results =
        parameters.length === 0
          ? await db.exec(sql)
          : [await db.query(sql, [...parameters], { serializers })];
      return { id, rows: results.at(-1)?.rows ?? [] };
    } catch (error) {
      return { id, error: failure(error) };
    }
  };
  port.on("message", (ask: Ask) => {
    void answer(ask).then((answered) => port.postMessage(answered));
  });
  port.postMessage({ id: 0, rows: [] } satisfies Answer);
} catch (error) {
  port.postMessage({ id: 0, error: failure(error) } satisfies Answer);
}
