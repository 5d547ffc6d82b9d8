/** Rights of publishers per repository, which the server enforces. */

import { describe, expect, it, onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import { tablesOf } from "../../server/store/names.ts";
import { openTeam } from "../../server/store/team.ts";
import { setUpTeam, teamSetupScript } from "../../server/store/team-setup.ts";
import { administer, NO_POSTGRES } from "../support/databases.ts";
import {
  fileCommit,
  KEY,
  KEYS,
  messageOf,
  publisherOf,
  publishOne,
  TURN,
} from "../support/publish-rows.ts";
import {
  alone,
  FOR_ALL,
  outcomesOf,
  rowsOf,
  type TeamServer,
  teamDatabase,
  teamServer,
} from "../support/team.ts";

const PER_REPOSITORY = { perRepository: true };
const SHOP = KEY.repository;
const BILLING = "git.example.org/acme/billing";

const nameOf = (url: string) => new URL(url).username;

const allow = (url: string, publisher: string, repository: string) =>
  alone(() => administer(`call cocosearch_allow('${nameOf(publisher)}', '${repository}')`, url));

/** A publisher with the right to these repositories. */
async function publisherFor({ url, user }: TeamServer, ...repositories: string[]) {
  const own = await user();
  for (const repository of repositories) await allow(url, own, repository);
  return own;
}

/** A database with the indexes of two publishers, one of `SHOP` and one of `BILLING`. */
async function twoPublishers() {
  const server = await teamDatabase(PER_REPOSITORY);
  const [shop, billing] = [await publisherFor(server, SHOP), await publisherFor(server, BILLING)];
  const ofShop = await publishOne(shop, "a");
  const ofBilling = await publishOne(billing, "b", BILLING);
  return { ...server, shop, billing, ofShop, ofBilling };
}

/** All rows of the database that belong to the published index of billing. */
async function stateOf(url: string, { index, publisher }: { index: string; publisher?: string }) {
  const { files, chunks, vectors } = tablesOf(index, publisher);
  const all = (table: string, where = "") =>
    rowsOf(url, `select to_jsonb(t) as row from ${table} t ${where} order by 1`);
  return await Promise.all([
    all("cocosearch_published", `where repository = '${BILLING}'`),
    all("cocosearch_indexes", `where name = '${index}'`),
    all("cocosearch_rights"),
    all(files),
    all(chunks),
    all(vectors),
  ]);
}

describe.skipIf(NO_POSTGRES !== undefined)(`rights per repository ${NO_POSTGRES ?? ""}`, () => {
  it("are set up twice with the same result, also by the printed script", async () => {
    const { url } = await teamDatabase(PER_REPOSITORY);
    const described = async () => [
      await rowsOf(url, "select relname, relowner, relacl::text, relrowsecurity from pg_class"),
      await rowsOf(url, "select tablename, policyname, cmd, qual, with_check from pg_policies"),
      await rowsOf(url, "select nspname, nspacl::text from pg_namespace where nspname = 'public'"),
    ];
    const sorted = async () =>
      (await described()).map((rows) => rows.map((row) => JSON.stringify(row)).toSorted());
    const before = await sorted();
    await alone(() => setUpTeam(url, PER_REPOSITORY, silent));
    expect(await sorted()).toEqual(before);
    const scripted = await teamServer();
    await alone(() => administer(teamSetupScript(PER_REPOSITORY), scripted.url));
    const own = await publisherFor(scripted, SHOP);
    expect(await messageOf(publishOne(own, "a"))).toBe("done");
  });

  it("let a publisher publish its repositories, and readers read all of them", async () => {
    const server = await teamDatabase(PER_REPOSITORY);
    const own = await publisherFor(server, SHOP, BILLING);
    await publishOne(own, "a");
    await publishOne(own, "b", BILLING);
    const again = await publishOne(own, "c");
    expect(again).toMatchObject({ commit: "c", files: 2, publisher: nameOf(own) });
    const team = await openTeam({ url: await server.user("cocosearch_reader"), log: silent });
    onTestFinished(() => team.close());
    const published = await team.listPublished();
    expect(published.map(({ repository, commit }) => `${repository} ${commit}`)).toEqual([
      `${BILLING} b`,
      `${SHOP} c`,
    ]);
    const store = await team.store.find(again.index);
    expect([...((await store?.hashes())?.keys() ?? [])].toSorted()).toEqual(["a.py", "c.py"]);
    expect((await store?.chunksOf(["c.py"]))?.[0]?.vector).toHaveLength(3);
    expect([...(await team.filesOf(again).sizes()).keys()].toSorted()).toEqual(["a.py", "c.py"]);
    expect(await team.filesOf(again).texts("c.py", "1")).toMatchObject([{ text: "a" }]);
  });

  it("refuse another publisher's repository, and the message has the statement for the administrator", async () => {
    const { url, shop, ofBilling } = await twoPublishers();
    const before = await stateOf(url, ofBilling);
    expect(await messageOf(publishOne(shop, "x", BILLING))).toMatch(
      /^Unavailable: the team's database .* denies a privilege \(permission denied to set role .*\): let its administrator run "grant member_\d.* to USER" there for the user of COCOSEARCH_TEAM_URL$/,
    );
    const publisher = await publisherOf(shop);
    expect(await messageOf(publisher.remove(BILLING, undefined, TURN))).toContain(
      "denies a privilege",
    );
    expect(await messageOf(publishOne(shop, "x", `${SHOP}/tools`))).toMatch(
      /^Unavailable: no user may publish git\.example\.org\/acme\/shop\/tools in .*: let its administrator run "call cocosearch_allow\('USER', 'git\.example\.org\/acme\/shop\/tools'\)" there$/,
    );
    expect(await stateOf(url, ofBilling)).toEqual(before);
  });

  it("keep a publisher with a client of SQL from the rows of another one", async () => {
    const { url, shop, billing, ofShop, ofBilling } = await twoPublishers();
    const before = await stateOf(url, ofBilling);
    const { files, chunks, vectors, parseResults, view } = tablesOf(
      ofBilling.index,
      ofBilling.publisher,
    );
    const schema = `"${nameOf(billing)}"`;
    const publish = (repository: string, index: string, branch = "main") =>
      `insert into cocosearch_published values ('${repository}', '', '${branch}', 'x', '${index}', 1, 1, now()) returning 1`;
    const record = (name: string, root: string, publisher: string) =>
      `insert into cocosearch_indexes (name, root, model_id, dimension, chunker_version, schema_version, installation, publisher)
       values ('${name}', '${root}', 'm', 3, '1', 1, 'published', '${publisher}') returning 1`;
    const said = await outcomesOf(shop, [
      // Rows of its tables.
      `insert into ${files} select * from ${files} returning 1`,
      `update ${files} set sha256 = 'x' returning 1`,
      `delete from ${chunks} returning 1`,
      `update ${chunks} set content_text = 'x' returning 1`,
      `update ${vectors} set embedding = '[0,1,0]' returning 1`,
      `delete from ${parseResults} returning 1`,
      `truncate ${chunks}`,
      `drop table ${chunks}`,
      `drop view ${view}`,
      `alter table ${files} owner to current_user`,
      `alter table ${files} disable trigger all`,
      `create trigger mine before insert on ${files} for each row execute function suppress_redundant_updates_trigger()`,
      // Its schema and cache.
      `create table ${schema}.codeindex_x (x int)`,
      `drop schema ${schema} cascade`,
      `select 1 from ${schema}.cocosearch_embeddings where false union all select 1`,
      `insert into ${schema}.cocosearch_embeddings values ('m', 'x', '[1]') returning 1`,
      // An index whose repository is the other one's, also beside the published one.
      publish(BILLING, ofShop.index),
      publish(BILLING, ofShop.index, "other"),
      publish(BILLING, ofBilling.index, "other"),
      publish(SHOP, ofBilling.index, "other"),
      record("new", BILLING, nameOf(shop)),
      record("new", BILLING, nameOf(billing)),
      record("new", SHOP, nameOf(billing)),
      record("new", `${SHOP}x`, nameOf(shop)),
      // Taking over.
      `update cocosearch_published set repository = '${BILLING}' where repository = '${SHOP}' returning 1`,
      `update cocosearch_published set index_name = '${ofBilling.index}' where repository = '${SHOP}' returning 1`,
      `update cocosearch_indexes set publisher = '${nameOf(billing)}' where name = '${ofShop.index}' returning 1`,
      `update cocosearch_indexes set root = '${BILLING}' where name = '${ofShop.index}' returning 1`,
      `insert into cocosearch_rights values ('${BILLING}/x', '${nameOf(shop)}') returning 1`,
      `update cocosearch_rights set publisher = '${nameOf(shop)}' returning 1`,
      `call cocosearch_allow('${nameOf(shop)}', '${BILLING}')`,
      `drop policy cocosearch_update on cocosearch_published`,
      `alter table cocosearch_published disable row level security`,
      `set role ${schema}`,
      // Tables and functions that the statements of others would find.
      "create table public.cocosearch_kept_files_x (x int)",
      "create function public.vector_dims(text) returns int language sql return 1",
      "create operator public.= (leftarg = text, rightarg = int, function = texteq)",
    ]);
    const isRefused = /permission denied|must be owner|violates row-level security|must be member/;
    expect(said.filter((each) => !isRefused.test(each))).toEqual([]);
    // Rows that the policies hide are not found, so these change nothing and do not fail.
    const hidden = await outcomesOf(shop, [
      `update cocosearch_published set commit_hash = 'x' where repository = '${BILLING}' returning 1`,
      `delete from cocosearch_published where repository = '${BILLING}' returning 1`,
      `update cocosearch_indexes set chunker_version = 'x' where name = '${ofBilling.index}' returning 1`,
      `delete from cocosearch_indexes where name = '${ofBilling.index}' returning 1`,
      `update cocosearch_indexes set publisher = current_user where name = '${ofBilling.index}' returning 1`,
    ]);
    expect(hidden.filter((each) => !each.endsWith(": 0 rows"))).toEqual([]);
    // The group role itself has no repository.
    await administer("set role cocosearch_publisher; delete from cocosearch_published", shop);
    expect(await stateOf(url, ofBilling)).toEqual(before);
    expect(await messageOf(publishOne(billing, "c", BILLING))).toBe("done");
  });

  it("keep a reader from writing", async () => {
    const { user, ofShop, shop } = await twoPublishers();
    const { files, chunks, view } = tablesOf(ofShop.index, ofShop.publisher);
    const reader = await user("cocosearch_reader");
    for (const table of [files, chunks, view, "cocosearch_published", "cocosearch_indexes"])
      expect(await rowsOf(reader, `select count(*) from ${table}`)).toHaveLength(1);
    const said = await outcomesOf(reader, [
      `insert into cocosearch_published values ('a', '', 'b', 'c', '${ofShop.index}', 1, 1, now())`,
      "update cocosearch_published set commit_hash = 'x'",
      "delete from cocosearch_indexes",
      "insert into cocosearch_rights values ('a/b', current_user)",
      `update ${files} set sha256 = 'x'`,
      `delete from ${chunks}`,
      `truncate ${files}`,
      `drop table ${chunks}`,
      "insert into cocosearch_embeddings values ('m', 'x', '[1]')",
      `create table "${nameOf(shop)}".mine (x int)`,
      "create table mine (x int)",
      "set role cocosearch_publisher",
    ]);
    const isRefused = /permission denied|must be owner/;
    expect(said.filter((each) => !isRefused.test(each))).toEqual([]);
    expect(await messageOf(publishOne(reader, "x"))).toContain("denies a privilege");
  });

  it("are of a group of users if a group role has them", async () => {
    const server = await teamDatabase(PER_REPOSITORY);
    const group = await publisherFor(server, SHOP);
    const [one, other] = [await server.user(nameOf(group)), await server.user(nameOf(group))];
    const first = await publishOne(one, "a");
    expect(await publishOne(other, "b")).toMatchObject({ index: first.index, files: 2 });
  });

  it("cache vectors for one publisher only", async () => {
    const server = await teamDatabase(PER_REPOSITORY);
    const [shop, billing] = [await publisherFor(server, SHOP), await publisherFor(server, BILLING)];
    const hash = "a".repeat(64);
    /** Puts the vector, if there is one, and resolves to the cached one. */
    const cached = async (url: string, repository: string, vector?: number[]) => {
      let found: number[] = [];
      const publisher = await publisherOf(url);
      const key = { ...KEY, repository };
      await publisher.publish({ key, keys: KEYS, ...TURN }, async ({ embeddings }) => {
        if (vector) await embeddings.put("m", new Map([[hash, new Float32Array(vector)]]));
        found = [...((await embeddings.get("m", [hash])).get(hash) ?? [])];
        return { commit: "a", files: 0, chunks: 0 };
      });
      return found;
    };
    expect(await cached(shop, SHOP, [0, 1, 0])).toEqual([0, 1, 0]);
    expect(await cached(billing, BILLING)).toEqual([]);
    expect(await cached(shop, SHOP)).toEqual([0, 1, 0]);
  });

  it("can be given to another role, which publishes a new index in place of the old one", async () => {
    const { url, user, ofShop, shop } = await twoPublishers();
    const next = await user();
    await allow(url, next, SHOP);
    expect(await messageOf(publishOne(shop, "x"))).toContain("denies a privilege");
    const published = await publishOne(next, "c");
    expect(published).toMatchObject({ files: 1, publisher: nameOf(next) });
    expect(published.index).not.toBe(ofShop.index);
    expect(await publishOne(next, "d")).toMatchObject({ index: published.index, files: 2 });
  });

  it("drop a replaced and a removed index, and leave the indexes of other publishers", async () => {
    const { url, shop, ofShop, ofBilling } = await twoPublishers();
    const publisher = await publisherOf(shop);
    const other = { ...KEYS, chunkerVersion: "2" };
    const next = await publisher.publish({ key: KEY, keys: other, ...TURN }, async () => ({
      commit: "c",
      files: 0,
      chunks: 0,
    }));
    const names = () => rowsOf(url, "select name from cocosearch_indexes order by 1");
    expect(await names()).toEqual([{ name: ofBilling.index }, { name: next.index }]);
    const gone = `select to_regclass('${tablesOf(ofShop.index, ofShop.publisher).files}') as there`;
    expect(await rowsOf(url, gone)).toEqual([{ there: null }]);
    expect(await publisher.remove(SHOP, undefined, TURN)).toMatchObject([{ index: next.index }]);
    expect(await names()).toEqual([{ name: ofBilling.index }]);
  });

  it.each([
    [FOR_ALL, PER_REPOSITORY],
    [PER_REPOSITORY, FOR_ALL],
  ])(
    "rights of %o are not changed to %o while a publish runs, which is not disturbed",
    async (setup, other) => {
      const server = await teamDatabase(setup);
      const { url } = server;
      const own = setup.perRepository
        ? await publisherFor(server, SHOP)
        : await server.user("cocosearch_publisher");
      await publishOne(own, "a");
      const publisher = await publisherOf(own);
      const refused = /^Unavailable: the database was set up with/;
      await publisher.publish({ key: KEY, keys: KEYS, ...TURN }, async ({ store }) => {
        await store.commit([fileCommit("b.py")], []);
        expect(await messageOf(alone(() => setUpTeam(url, other, silent)))).toMatch(refused);
        const team = await openTeam({ url, log: silent });
        expect(await team.listPublished()).toMatchObject([{ commit: "a" }]);
        await team.close();
        return { commit: "b", files: 2, chunks: 2 };
      });
      const team = await openTeam({ url, log: silent });
      onTestFinished(() => team.close());
      expect(await team.listPublished()).toMatchObject([{ commit: "b", files: 2 }]);
    },
  );

  it("are neither added to a database that was set up without them nor taken away", async () => {
    const [all, each] = [await teamDatabase(FOR_ALL), await teamDatabase(PER_REPOSITORY)];
    expect(await messageOf(alone(() => setUpTeam(all.url, PER_REPOSITORY, silent)))).toBe(
      "Unavailable: the database was set up without --per-repository: make another database for it with create database",
    );
    expect(await messageOf(alone(() => setUpTeam(each.url, FOR_ALL, silent)))).toBe(
      "Unavailable: the database was set up with --per-repository: run cocosearch-lsp team init --per-repository",
    );
    const said = await outcomesOf(await publisherFor(each, SHOP), [
      "create table public.x (x int)",
    ]);
    expect(said[0]).toContain("permission denied");
  });

  it("need a repository as publish shows it", async () => {
    const server = await teamDatabase(PER_REPOSITORY);
    const own = await server.user();
    for (const wrong of ["https://git.example.org/acme/shop", "shop", "git.example.org/acme/shop/"])
      await expect(allow(server.url, own, wrong)).rejects.toThrow("does not name a repository");
  });

  it("leave the tables of another version to the administrator", async () => {
    const { url, shop } = await twoPublishers();
    await administer("insert into cocosearch_migrations (version) values (1000)", url);
    expect(await messageOf(publishOne(shop, "x"))).toMatch(
      /of another version of cocosearch-lsp: .*cocosearch-lsp team init --per-repository$/,
    );
  });
});
