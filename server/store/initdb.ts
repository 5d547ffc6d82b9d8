/** Makes an empty database, in a process of its own: it takes 700 MB for two seconds, which a thread would not give back. */

import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";

const directory = process.argv[2];
if (directory === undefined) throw new Error("usage: initdb.ts DIRECTORY");

try {
  const db = await PGlite.create({ dataDir: directory, extensions: { vector } });
  await db.exec("create extension if not exists vector");
  await db.exec("checkpoint");
  await db.close();
} catch (error) {
  // One line instead of PGlite's sources, and the end at once: after some failures it spins for ever.
  process.stderr.write(error instanceof Error ? error.message : JSON.stringify(error));
  process.exit(1);
}
