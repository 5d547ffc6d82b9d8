/** A team's database for the tests of a file, with indexes that are published by the real command. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silent } from "../../server/common/log.ts";
import { createTeam } from "../../server/engine/team/team.ts";
import { type Tables, tablesOf } from "../../server/store/names.ts";
import { PostgresDatabase } from "../../server/store/postgres.ts";
import { openTeam } from "../../server/store/team.ts";
import { setUpTeam } from "../../server/store/team-setup.ts";
import { createDatabase } from "./databases.ts";
import { alone, FOR_ALL, rowsOf, watcher } from "./team.ts";

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
    const team = createTeam({ user, home, log: silent, build: "1" });
    const { published } = await team.publish({ root }, watcher());
    return published.index;
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** The published commit of a database with one index, and all rows of the index. */
export async function publishedRows(url: string) {
  const team = await openTeam({ url, log: silent });
  const [found] = await team.listPublished();
  await team.close();
  if (found === undefined) return { commit: undefined, rows: [] };
  const { files, chunks, vectors, parseResults, tracking } = tablesOf(found.index);
  const rows: string[] = [];
  for (const table of [files, chunks, vectors, parseResults, tracking]) {
    const select = `select (to_jsonb(t) - 'mtime')::text as row from ${table} t`;
    rows.push(...(await rowsOf<{ row: string }>(url, select)).map(({ row }) => row).toSorted());
  }
  return { commit: found.commit, rows };
}

/** Published indexes count as large for their readers. */
export const COUNT_AS_LARGE = `
create function large() returns trigger language plpgsql as
  $$ begin new.chunks := new.chunks % 300001 + 300001; return new; end $$;
create trigger large before insert or update on cocosearch_published
  for each row execute function large();`;

/** The rows of the lanes without their numbers. */
export async function rowsOfLanes(url: string, { lanes }: Tables) {
  const tables = [
    `select filename, location::text, content_hash, length, terms, counts::text from ${lanes.chunks}`,
    `select filename, name, symbol_type, last, squashed, parts from ${lanes.names} join ${lanes.chunks} on id = chunk`,
    `select term, chunks from ${lanes.terms}`,
  ];
  return await Promise.all(
    tables.map(async (sql) =>
      (await rowsOf(url, sql)).map((row) => JSON.stringify(row)).toSorted(),
    ),
  );
}
