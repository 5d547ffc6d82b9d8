/** Creates an empty database in a process of its own, because a thread would not release the 700 MB that initdb takes. */

import { fileURLToPath } from "node:url";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";

/** Segments of 1 MB instead of 16 make an empty database 11 MB smaller. */
const LOG_SEGMENTS = ["--wal-segsize=1"];

/**
 * Template databases are needed only to create further databases. Without them an empty database has 390 files and 14 MB
 * instead of 1,010 and 28, and is unpacked in half the time.
 */
const DROP_TEMPLATES = [
  "update pg_database set datistemplate = false",
  "drop database template0",
  "drop database template1",
];

/** Exits when stdin closes, that is, when the engine was killed. The work is done in a thread, so that the main thread can notice. */
function watchOver(directory: string): void {
  process.stdin.resume().once("end", () => process.exit(1));
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { directory } });
  worker.once("exit", (code) => process.exit(code));
}

async function make(directory: string): Promise<void> {
  try {
    const db = await PGlite.create({
      dataDir: directory,
      extensions: { vector },
      initDbStartParams: LOG_SEGMENTS,
    });
    await db.exec("create extension if not exists vector");
    for (const statement of DROP_TEMPLATES) await db.exec(statement);
    await db.exec("checkpoint");
    await db.close();
  } catch (error) {
    // Exits immediately, because PGlite loops forever after some failures; prints one line instead of PGlite's source.
    process.stderr.write(error instanceof Error ? error.message : JSON.stringify(error));
    process.exit(1);
  }
}

if (!isMainThread) await make((workerData as { directory: string }).directory);
else if (process.argv[2] === undefined) throw new Error("usage: initdb.ts DIRECTORY");
else watchOver(process.argv[2]);
