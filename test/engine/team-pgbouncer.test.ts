/** A team's database and an engine's own behind PgBouncer, which gives each transaction another connection of the server. */

import { describe, expect, it, onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { PartialSettings } from "../../server/contracts/settings.ts";
import { openPostgres } from "../../server/store/external.ts";
import { PostgresDatabase } from "../../server/store/postgres.ts";
import { createDatabase, dropDatabase, INSTALLATION } from "../support/databases.ts";
import { engineInProcess } from "../support/engine-in-process.ts";
import { eventually } from "../support/eventually.ts";
import { commitAll, git, repositoryOf } from "../support/git.ts";
import { NO_PGBOUNCER, pgbouncer } from "../support/pgbouncer.ts";
import { messageOf, publishOne } from "../support/publish-rows.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { alone, cloneOf, rowsOf, teamDatabase, teamOf, watcher } from "../support/team.ts";
import { workspace, write } from "../support/workspace.ts";

const INDEX = { name: "shop", root: "/shop", modelId: "m", dimension: 2, chunkerVersion: "1" };

async function freshDatabase(): Promise<string> {
  const url = await createDatabase();
  onTestFinished(() => dropDatabase(url));
  return url;
}

async function pooled(url: string, options: Parameters<typeof pgbouncer>[1] = {}) {
  const [through = ""] = await pgbouncer([url], options);
  return through;
}

async function storeAt(url: string) {
  const store = await openPostgres({ url, installation: INSTALLATION, log: silent });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await store.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { index: await store.open(INDEX), close };
}

async function sessionWith(settings: PartialSettings, root: string) {
  const { engine, dispose } = engineInProcess();
  onTestFinished(() => dispose());
  const session = engine.session();
  await session.configure(settings);
  await session.openFolders([root]);
  await session.whenIdle();
  return session;
}

describe.skipIf(NO_PGBOUNCER !== undefined)(`behind PgBouncer ${NO_PGBOUNCER ?? ""}`, () => {
  it("an index is published, searched, and taken over by a checkout", async () => {
    const { url, user } = await teamDatabase();
    const [publisher = "", reader = ""] = await pgbouncer([
      await user("cocosearch_publisher"),
      await user("cocosearch_reader"),
    ]);
    const root = cloneOf(SMALL_SHOP);
    const first = await teamOf(publisher).publish({ root }, watcher());
    write(root, "//- src/queue.py\ndef enqueue_letter(letter):\n    letters.append(letter)\n");
    commitAll(root, "Add a file");
    const next = await teamOf(publisher).publish({ root }, watcher());
    expect(next).toMatchObject({ indexed: 1, unchanged: first.published.files });
    expect(await rowsOf(url, "select commit_hash from cocosearch_published")).toEqual([
      { commit_hash: next.published.commit },
    ]);

    const elsewhere = workspace("//- notes.md\n# Notes\nNothing about letters.\n");
    const outside = await sessionWith({ "team.url": reader }, elsewhere);
    const { hits, warnings } = await outside.search({ query: "enqueue_letter", indexes: ["*"] });
    expect(warnings).toEqual([]);
    expect(hits[0]).toMatchObject({
      path: "src/queue.py",
      published: { commit: next.published.commit },
    });

    const clone = `${workspace()}/shop`;
    git(root, "clone", "-q", root, clone);
    git(clone, "remote", "set-url", "origin", "git@git.example.org:acme/shop.git");
    const checkout = await sessionWith({ "team.url": reader }, clone);
    const { indexes } = await checkout.status();
    expect(indexes[0]?.begunWith).toMatchObject({ files: next.published.files });
  });

  it("publishers with rights per repository keep them apart, on connections that they share", async () => {
    const { url, user } = await teamDatabase({ perRepository: true });
    const [one, other] = [await user(), await user()];
    const repositories = ["git.example.org/acme/one", "git.example.org/acme/other"];
    for (const [at, each] of [one, other].entries()) {
      const call = `call cocosearch_allow('${new URL(each).username}', '${repositories[at]}')`;
      await alone(() => rowsOf(url, call));
    }
    const [first = "", second = ""] = await pgbouncer([one, other], { size: 2 });
    await publishOne(first, "a", repositories[0]);
    await publishOne(second, "b", repositories[1]);
    expect(await messageOf(publishOne(first, "x", repositories[1]))).toContain(
      "denies a privilege",
    );
    expect(await publishOne(first, "c", repositories[0])).toMatchObject({ files: 2 });
  });

  it.each(["memory", "sql"] as const)(
    "an engine keeps its index there, with lanes in %s",
    async (lanes) => {
      const url = await freshDatabase();
      const root = repositoryOf(SMALL_SHOP);
      const settings = { "database.url": await pooled(url), "search.lanes": lanes };
      const session = await sessionWith(settings, root);
      const found = async (query: string) => (await session.search({ query })).hits[0]?.path;
      expect(await found("where is the pool opened")).toBe("src/pool.py");
      write(root, "//- src/queue.py\ndef enqueue_letter(letter):\n    letters.append(letter)\n");
      await eventually(async () => expect(await found("enqueue_letter")).toBe("src/queue.py"));
    },
  );

  it("one engine writes an index, also beside one that is connected directly, and the next one after it", async () => {
    const url = await freshDatabase();
    // Two connections, so that a lock of a session would soon be found by another engine.
    const through = await pooled(url, { size: 2 });
    const first = await storeAt(through);
    expect(await first.index.writer.tryHold()).toBe(true);
    const [second, third] = [await storeAt(through), await storeAt(url)];
    const tried = async () => [
      await second.index.writer.tryHold(),
      await third.index.writer.tryHold(),
    ];
    for (let times = 0; times < 5; times++) {
      await first.index.counts();
      expect(await tried()).toEqual([false, false]);
    }
    // Engines that wait hold no transaction open, and the open one keeps no dead rows.
    const idle = `select count(*)::int as n, count(backend_xmin)::int + count(backend_xid)::int as kept
      from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`;
    expect(await rowsOf(url, idle)).toEqual([{ n: 1, kept: 0 }]);
    await first.close();
    await eventually(async () => expect(await second.index.writer.tryHold()).toBe(true));
    expect(await third.index.writer.tryHold()).toBe(false);
    await second.close();
    await eventually(async () => expect(await third.index.writer.tryHold()).toBe(true));
    expect(
      await rowsOf(
        url,
        "select count(*)::int as n from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
      ),
    ).toEqual([{ n: 1 }]);
  });

  it("no setting of a session stays for the next client", async () => {
    const url = await freshDatabase();
    const through = await pooled(url, { size: 1 });
    const database = new PostgresDatabase(through, silent);
    onTestFinished(() => database.close());
    const names = [
      "maintenance_work_mem",
      "idle_in_transaction_session_timeout",
      "search_path",
      "role",
    ];
    const settings = () =>
      rowsOf(
        through,
        `select name, setting from pg_settings where name in ('${names.join("','")}')`,
      );
    const before = await settings();
    await database.query("create table numbers (n int)");
    await database.buildIndex("on numbers (n)", 2 ** 26);
    await database.transaction((tx) => tx.query("select 1"));
    expect(await settings()).toEqual(before);
  });

  it("a statement ends on the server when its signal aborts, and frees the connection", async () => {
    const url = await freshDatabase();
    const database = new PostgresDatabase(await pooled(url, { size: 1 }), silent);
    onTestFinished(() => database.close());
    const ending = new AbortController();
    const slow = messageOf(database.until(ending.signal).query("select pg_sleep(600)"));
    const running =
      "select 1 from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active' and datname = current_database()";
    await eventually(async () => expect(await rowsOf(url, running)).toHaveLength(1));
    ending.abort();
    expect(await slow).not.toBe("done");
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("a pool without transactions is refused at once with the setting to change", async () => {
    const url = await freshDatabase();
    const through = await pooled(url, { mode: "statement" });
    const opened = openPostgres({ url: through, installation: INSTALLATION, log: silent });
    expect(await messageOf(opened)).toMatch(
      /^Unavailable: the database .*pool_mode = transaction.* COCOSEARCH_DATABASE_URL$/,
    );
  });
});
