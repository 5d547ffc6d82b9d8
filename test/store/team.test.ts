/** Setting up a team's database, its privileges, and its errors. */

import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import { SCHEMA_VERSION } from "../../server/store/compatibility.ts";
import { openPostgres } from "../../server/store/external.ts";
import { tablesOf } from "../../server/store/names.ts";
import { openPublisher } from "../../server/store/publisher.ts";
import { openTeam } from "../../server/store/team.ts";
import { setUpTeam, teamSetupScript } from "../../server/store/team-setup.ts";
import { administer, INSTALLATION, NO_POSTGRES } from "../support/databases.ts";
import {
  fileCommit,
  KEY,
  KEYS,
  messageOf,
  publisherOf,
  publishOne,
  TURN,
} from "../support/publish-rows.ts";
import { alone, FOR_ALL, outcomesOf, rowsOf, teamDatabase, teamServer } from "../support/team.ts";

describe.skipIf(NO_POSTGRES !== undefined)(`a team's database ${NO_POSTGRES ?? ""}`, () => {
  it("is set up twice with the same result, also by the printed script", async () => {
    const { url } = await teamDatabase();
    const described = () =>
      rowsOf(
        url,
        "select relname, relowner, relacl::text from pg_class where relname like 'coco%' order by 1",
      );
    const before = await described();
    expect(before).not.toEqual([]);
    await alone(() => setUpTeam(url, FOR_ALL, silent));
    await alone(() => administer(teamSetupScript(FOR_ALL), url));
    expect(await described()).toEqual(before);
    const scripted = await teamServer();
    await alone(() => administer(teamSetupScript(FOR_ALL), scripted.url));
    expect(await messageOf(publishOne(scripted.url, "a"))).toBe("done");
  });

  it("is set up by its owner without superuser rights", async () => {
    const { url, user } = await teamServer();
    await administer("create extension vector", url);
    const owner = await user();
    const { username, pathname } = new URL(owner);
    await administer(
      `alter role "${username}" createrole; alter database "${pathname.slice(1)}" owner to "${username}"`,
    );
    // The group roles are of whoever made them first on this server; their administrator may be another one.
    await alone(async () => {
      await administer(`do $$ begin
        if exists (select from pg_roles where rolname = 'cocosearch_publisher')
        then grant cocosearch_publisher to "${username}" with admin option; end if; end $$`);
      await setUpTeam(owner, FOR_ALL, silent);
    });
    expect(await messageOf(publishOne(owner, "a"))).toBe("done");
    await administer(
      `reassign owned by "${username}" to postgres; drop owned by "${username}"`,
      url,
    );
  });

  it("may be written by each publisher, also what another one has published", async () => {
    const { user } = await teamDatabase();
    const first = await publishOne(await user("cocosearch_publisher"), "a");
    const second = await publishOne(await user("cocosearch_publisher"), "b");
    expect(second).toMatchObject({ index: first.index, commit: "b", files: 2 });
  });

  it("writes only the parts of the packed lanes that differ", async () => {
    const { url, user } = await teamDatabase();
    const publisher = await publisherOf(await user("cocosearch_publisher"));
    const publish = (...parts: string[]) =>
      publisher.publish({ key: KEY, keys: KEYS, ...TURN }, async () => ({
        commit: parts.join(" "),
        files: 0,
        chunks: 0,
        pack: async function* () {
          for (const part of parts) yield Buffer.from(part);
        },
      }));
    const { index } = await publish("a", "b", "c", "d");
    const versions = async () => {
      const select = `select convert_from(content, 'utf8') as content, xmin::text from ${tablesOf(index).packed} order by part`;
      return await rowsOf<{ content: string; xmin: string }>(url, select);
    };
    const before = await versions();
    await publish("a", "x", "c");
    const after = await versions();
    expect(after.map(({ content }) => content)).toEqual(["a", "x", "c"]);
    expect(after.map(({ xmin }, i) => xmin === before[i]?.xmin)).toEqual([true, false, true]);
  });

  it("may be read by a reader, with the tables of later publishes, and not written", async () => {
    const { user } = await teamDatabase();
    const url = await user("cocosearch_reader");
    const { index } = await publishOne(await user("cocosearch_publisher"), "a");
    const { files, chunks, view } = tablesOf(index);
    for (const table of [files, chunks, view, "cocosearch_published", "cocosearch_indexes"]) {
      expect(await rowsOf(url, `select count(*)::int as n from ${table}`)).toHaveLength(1);
    }
    const writes = [
      `insert into cocosearch_published values ('a', '', 'b', 'c', '${index}', 1, 1, now())`,
      "update cocosearch_published set commit_hash = 'x'",
      "delete from cocosearch_indexes",
      `update ${files} set sha256 = 'x'`,
      `delete from ${chunks}`,
      `truncate ${files}`,
      `drop table ${chunks}`,
      `alter table ${files} add column x int`,
      "insert into cocosearch_embeddings values ('m', 'x', '[1]')",
      "create table mine (x int)",
      "set role cocosearch_publisher",
    ];
    const messages = await outcomesOf(url, writes);
    const isRefused = (message: string) => /permission denied|must be owner/.test(message);
    expect(messages.filter((message) => !isRefused(message))).toEqual([]);
    expect(await messageOf(openPublisher(url, silent))).toMatch(
      /^Unavailable: the team's database .* denies a privilege .*"grant cocosearch_publisher to USER".* COCOSEARCH_TEAM_URL$/,
    );
  });

  it("is not read by a user without a role, and the error names the missing role", async () => {
    const { user } = await teamDatabase();
    const url = await user();
    const { username } = new URL(url);
    const expected = `may not read the team's database`;
    const message = await messageOf(openTeam({ url, log: silent }));
    expect(message).toContain(expected);
    expect(message).toContain(
      `let its administrator run "grant cocosearch_reader to ${username}" there`,
    );
    expect(await messageOf(openPublisher(url, silent))).toContain(expected);
  });

  it("a database that was not set up is named with a remedy", async () => {
    const { url, user } = await teamServer();
    const expected =
      /^Unavailable: the database .* is not set up for a team: check COCOSEARCH_TEAM_URL, or .* cocosearch-lsp team init$/;
    expect(await messageOf(openTeam({ url, log: silent }))).toMatch(expected);
    expect(await messageOf(openPublisher(url, silent))).toMatch(expected);
    const stranger = await user();
    expect(await messageOf(alone(() => setUpTeam(stranger, FOR_ALL, silent)))).toMatch(
      /pgvector .*as an administrator|run it as an administrator/,
    );
  });

  it("a database that does not answer, and a user or database that does not exist, are named without the password", async () => {
    const { url } = await teamServer();
    const nowhere = "postgresql://me:hunter2@127.0.0.1:9/team";
    const unknown = new URL(url);
    unknown.username = "unknown_user";
    unknown.password = "hunter2";
    const missing = new URL(url);
    missing.pathname = "/unknown_database";
    const said = await Promise.all(
      [nowhere, unknown.href, missing.href].map((each) =>
        messageOf(openTeam({ url: each, log: silent })),
      ),
    );
    expect(said[0]).toMatch(
      /127\.0\.0\.1:9\/team does not answer .*: start it, or check COCOSEARCH_TEAM_URL$/,
    );
    expect(said[1]).toMatch(/check user and password in COCOSEARCH_TEAM_URL$/);
    expect(said[2]).toMatch(/create this database, or check COCOSEARCH_TEAM_URL$/);
    expect(said.join()).not.toContain("hunter2");
  });

  it("is published to by no older version", async () => {
    const { url } = await teamDatabase();
    const { index } = await publishOne(url, "a");
    await administer(`update cocosearch_indexes set schema_version = ${SCHEMA_VERSION + 1}`, url);
    expect(await messageOf(publishOne(url, "b"))).toMatch(
      /^Unavailable: the index of .* was published by a newer version of cocosearch-lsp: update cocosearch-lsp here$/,
    );
    await administer("insert into cocosearch_migrations (version) values (1000)", url);
    expect(await messageOf(publishOne(url, "b"))).toMatch(/created by a newer version.*: update/);
    const database = await openTeam({ url, log: silent });
    onTestFinished(() => database.close());
    const [published] = await database.listPublished();
    expect(published).toMatchObject({ index, commit: "a", schemaVersion: SCHEMA_VERSION + 1 });
  });

  it("may also have the indexes of engines, older ones as well, which do not touch published indexes", async () => {
    const { url } = await teamDatabase();
    const { index } = await publishOne(url, "a");
    const store = await openPostgres({ url, installation: INSTALLATION, log: silent });
    onTestFinished(() => store.close());
    expect(await store.list()).toMatchObject([{ name: index, installation: "another" }]);
    const own = await store.nameFor("/code/shop", "shop");
    await store.open({ name: own, root: "/code/shop", ...KEYS });
    const again = await publishOne(url, "b");
    expect(again).toMatchObject({ index, commit: "b" });
    expect((await store.list()).map(({ name }) => name).toSorted()).toEqual(
      [own, index].toSorted(),
    );
  });

  it("shows the earlier commit until a publish ends, and the later one at once", async () => {
    const { url, user } = await teamDatabase();
    const { index } = await publishOne(url, "a");
    const reader = await openTeam({ url: await user("cocosearch_reader"), log: silent });
    onTestFinished(() => reader.close());
    const store = await reader.store.find(index);
    const seen = async () => [...((await store?.hashes())?.keys() ?? [])].toSorted();
    const publisher = await publisherOf(url);
    await publisher.publish({ key: KEY, keys: KEYS, ...TURN }, async (publishing) => {
      const [before] = await reader.listPublished();
      if (before === undefined) throw new Error("nothing is published");
      // With the words and the packed lanes.
      expect(await reader.filesOf(before).read(["a.py"])).toMatchObject([{ path: "a.py" }]);
      const parts = reader.packedLanes(before)[Symbol.asyncIterator]();
      expect(await parts.next()).toMatchObject({ done: true });
      await publishing.store.commit([fileCommit("b.py")], ["a.py"]);
      expect(await seen()).toEqual(["a.py"]);
      expect((await reader.listPublished())[0]?.commit).toBe("a");
      return { commit: "b", files: 1, chunks: 1 };
    });
    expect(await seen()).toEqual(["b.py"]);
    expect((await reader.listPublished())[0]?.commit).toBe("b");
  });

  it("keeps the tables of a replaced index while they are read", async () => {
    const { url } = await teamDatabase();
    const { index } = await publishOne(url, "a");
    const reading = new pg.Client({ connectionString: url });
    await reading.connect();
    await reading.query(`begin; select * from ${tablesOf(index).files}`);
    const publisher = await publisherOf(url);
    const other = { ...KEYS, chunkerVersion: "2" };
    const published = await publisher.publish(
      { key: KEY, keys: other, ...TURN },
      async ({ store, before }) => {
        expect(before).toBeUndefined();
        await store.commit([fileCommit("b.py")], []);
        return { commit: "b", files: 1, chunks: 1 };
      },
    );
    const names = async () =>
      (await rowsOf<{ name: string }>(url, "select name from cocosearch_indexes order by 1")).map(
        ({ name }) => name,
      );
    expect(await names()).toEqual([index, published.index].toSorted());
    await reading.end();
    await publisher.publish({ key: KEY, keys: other, ...TURN }, async () => undefined);
    expect(await names()).toEqual([published.index]);
  });

  it("forgets the indexes of a repository, or of one branch", async () => {
    const { url } = await teamDatabase();
    const { index } = await publishOne(url, "a");
    const publisher = await publisherOf(url);
    expect(await publisher.remove(KEY.repository, "other", TURN)).toEqual([]);
    expect(await publisher.remove("git.example.org/acme", undefined, TURN)).toEqual([]);
    expect(await publisher.remove(KEY.repository, "main", TURN)).toMatchObject([{ index }]);
    const left = `select count(*)::int as n from pg_class where relname ~ 'codeindex|_deps_' or relname in
      (select name from cocosearch_indexes)`;
    expect(await rowsOf(url, left)).toEqual([{ n: 0 }]);
  });
});
