/** A server that cancels statements after a second: stored rows stay, and the error names the setting. */

import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import { openPostgres } from "../../server/store/external.ts";
import { tablesOf } from "../../server/store/names.ts";
import { openTeam } from "../../server/store/team.ts";
import {
  administer,
  createDatabase,
  dropDatabase,
  INSTALLATION,
  NO_POSTGRES,
} from "../support/databases.ts";
import { fileCommit, KEYS, messageOf, publishOne } from "../support/publish-rows.ts";
import { rowsOf, teamDatabase } from "../support/team.ts";

/** For new connections to this database. */
async function limit(url: string, timeout: string): Promise<void> {
  await administer(
    `alter database "${new URL(url).pathname.slice(1)}" set statement_timeout = '${timeout}'`,
  );
}

/** Makes every statement on the table wait until the returned function is called. */
async function lock(url: string, table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return async () => await client.end();
}

describe.skipIf(NO_POSTGRES !== undefined)(`a statement_timeout ${NO_POSTGRES ?? ""}`, () => {
  it("ends a publish, which leaves the earlier commit, and the next one succeeds", async () => {
    const { url, user } = await teamDatabase();
    const publisher = await user("cocosearch_publisher");
    const { index } = await publishOne(publisher, "a");
    await limit(url, "1s");
    const unlock = await lock(url, tablesOf(index).chunks);
    expect(await messageOf(publishOne(publisher, "b"))).toMatch(
      /^Unavailable: the database .* \(canceling statement due to statement timeout\): raise the statement_timeout of the user in COCOSEARCH_TEAM_URL: "alter role USER set statement_timeout = '2min'"/,
    );
    await unlock();
    const team = await openTeam({ url: await user("cocosearch_reader"), log: silent });
    onTestFinished(() => team.close());
    expect(await team.listPublished()).toMatchObject([{ commit: "a", files: 1 }]);
    const { files } = tablesOf(index);
    expect(await rowsOf(url, `select path from ${files}`)).toEqual([{ path: "a.py" }]);
    expect(await publishOne(publisher, "b")).toMatchObject({ index, commit: "b", files: 2 });
  });

  it("ends a search of a published index, and the next one answers", async () => {
    const { url, user } = await teamDatabase();
    const { index } = await publishOne(await user("cocosearch_publisher"), "a");
    await limit(url, "1s");
    const team = await openTeam({ url: await user("cocosearch_reader"), log: silent });
    onTestFinished(() => team.close());
    const store = await team.store.find(index);
    const unlock = await lock(url, tablesOf(index).files);
    expect(await messageOf(store?.hashes() ?? Promise.resolve())).toMatch(
      /^Unavailable: .*statement timeout.* COCOSEARCH_TEAM_URL/,
    );
    await unlock();
    expect([...((await store?.hashes())?.keys() ?? [])]).toEqual(["a.py"]);
  });

  it("ends a commit of an engine's own index, which the next one makes up for", async () => {
    const url = await createDatabase();
    onTestFinished(() => dropDatabase(url));
    const { schemaVersion: _, ...keys } = KEYS;
    await limit(url, "1s");
    const store = await openPostgres({ url, installation: INSTALLATION, log: silent });
    onTestFinished(() => store.close());
    const index = await store.open({ name: "shop", root: "/shop", ...keys });
    await index.commit([fileCommit("a.py")], []);
    const unlock = await lock(url, tablesOf("shop").chunks);
    expect(await messageOf(index.commit([fileCommit("b.py")], ["a.py"]))).toMatch(
      /^Unavailable: .*statement timeout.* COCOSEARCH_DATABASE_URL/,
    );
    await unlock();
    expect(await index.counts()).toMatchObject({ files: 1, chunks: 1, pending: 0 });
    await index.commit([fileCommit("b.py")], ["a.py"]);
    expect([...(await index.hashes()).keys()]).toEqual(["b.py"]);
  });
});
