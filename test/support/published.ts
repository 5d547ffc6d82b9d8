/** A team's database with published indexes, made by a real engine on a native Postgres. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silent } from "../../server/common/log.ts";
import { createEngine } from "../../server/engine/engine.ts";
import { openPostgres } from "../../server/store/external.ts";
import { PostgresDatabase } from "../../server/store/postgres.ts";
import { PUBLISHED_TABLE, writePublished } from "../../server/store/published.ts";
import { createDatabase, INSTALLATION } from "./databases.ts";
import { git } from "./git.ts";

/** An empty team's database; its URL. */
export async function createTeamDatabase(): Promise<string> {
  const url = await createDatabase();
  const store = await openPostgres({ url, installation: INSTALLATION, log: silent });
  await store.close();
  await inDatabase(url, (database) => database.query(PUBLISHED_TABLE));
  return url;
}

export async function inDatabase<T>(
  url: string,
  run: (database: PostgresDatabase) => Promise<T>,
): Promise<T> {
  const database = new PostgresDatabase(url, silent);
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}

/** Indexes a checkout into the team's database and publishes that index. */
export async function publish(url: string, root: string, repository: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-publish-"));
  const data = join(folder, "postgres");
  const setup = { data, logFile: "", log: silent, version: "1.0.0", build: "1", workers: 1 };
  const engine = createEngine({ ...setup, installation: "publisher" });
  const session = engine.session();
  await session.configure({ "database.url": url });
  await session.openFolders([root]);
  await session.whenIdle();
  const [index] = (await session.status()).indexes;
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
  const { name = "", files = 0, chunks = 0 } = index ?? {};
  const commit = git(root, "rev-parse", "HEAD");
  const key = { repository, subfolder: "", branch: "main", commit, index: name, files, chunks };
  await inDatabase(url, (database) => database.transaction((tx) => writePublished(tx, key)));
}
