/** A team's database for the tests of a file, with indexes that are published by the real command. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silent } from "../../server/common/log.ts";
import { createTeam } from "../../server/engine/team/team.ts";
import { PostgresDatabase } from "../../server/store/postgres.ts";
import { setUpTeam } from "../../server/store/team-setup.ts";
import { createDatabase } from "./databases.ts";
import { alone, FOR_ALL, watcher } from "./team.ts";

/** An empty team's database; its URL. */
export async function createTeamDatabase(): Promise<string> {
  const url = await createDatabase();
  await alone(() => setUpTeam(url, FOR_ALL, silent));
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

/** Publishes the commit that is checked out; the name of its index. */
export async function publish(url: string, root: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "cocosearch-publish-"));
  const user = { "team.url": url, "indexing.workers": 1 };
  try {
    const team = createTeam({ user, home, log: silent });
    const { published } = await team.publish({ root }, watcher());
    return published.index;
  } finally {
    rmSync(home, { recursive: true });
  }
}
