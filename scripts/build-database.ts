/** Creates the empty database that the package contains, with the shared tables: dist/store/empty-database.tar.gz. */

import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "tar";
import { silent } from "../server/common/log.ts";
import { initializeDatabase } from "../server/store/data-folder.ts";
import {
  EMPTY_DATABASE,
  type EmptyDatabaseManifest,
  readDatabaseManifest,
} from "../server/store/empty-database.ts";
import { migrate } from "../server/store/migrate.ts";
import { MIGRATIONS } from "../server/store/migrations/migrations.ts";
import { PgliteDatabase } from "../server/store/pglite.ts";

const TIMEOUT_MS = 120_000;

const require = createRequire(import.meta.url);

/** A fingerprint of everything that the database's files depend on. */
function madeFrom(): string {
  const { dependencies } = require("../package.json") as { dependencies: Record<string, string> };
  const versions = ["@electric-sql/pglite", "@electric-sql/pglite-pgvector"].map(
    (name) => `${name}@${dependencies[name] ?? ""}`,
  );
  const initdb = readFileSync(new URL("../server/store/initdb.ts", import.meta.url));
  const tables = createHash("sha256").update(JSON.stringify(MIGRATIONS)).update(initdb);
  return [...versions, "2", `tables ${tables.digest("hex").slice(0, 16)}`].join(", ");
}

function sha256Of(file: string): string | undefined {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex");
  } catch {
    return undefined;
  }
}

const wanted = madeFrom();
const present = readDatabaseManifest(EMPTY_DATABASE.manifest);
if (present?.madeFrom === wanted && present.sha256 === sha256Of(EMPTY_DATABASE.archive)) {
  console.log("the empty database is up to date");
} else {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-empty-"));
  try {
    await initializeDatabase(folder, TIMEOUT_MS);
    const database = new PgliteDatabase({ directory: folder, log: silent, prepare: migrate });
    // Without statistics: the catalog is then read by its key, which notices a catalog that is gone.
    await database.query("checkpoint");
    await database.close();
    // The order and the times of files do not change the archive.
    const entries = readdirSync(folder).toSorted();
    const gzip = { level: 9 };
    await create(
      { file: EMPTY_DATABASE.archive, cwd: folder, gzip, portable: true, mtime: new Date(0) },
      entries,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const sha256 = sha256Of(EMPTY_DATABASE.archive);
  if (sha256 === undefined) throw new Error("the empty database was not written");
  const manifest: EmptyDatabaseManifest = { madeFrom: wanted, sha256 };
  writeFileSync(EMPTY_DATABASE.manifest, `${JSON.stringify(manifest, undefined, 2)}\n`);
  console.log("the empty database is built");
}
