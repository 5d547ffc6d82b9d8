/** A Postgres of the user's own: shared by several engines, missing, cut off, or not fit for use. */

import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import type { FileCommit, Store } from "../../server/contracts/store.ts";
import { openPostgres } from "../../server/store/external.ts";
import { createLaneTables } from "../../server/store/lanes/lane-tables.ts";
import { measureTerms } from "../../server/store/lanes/lane-terms.ts";
import { buildGraph } from "../../server/store/lanes/lane-vectors.ts";
import { tablesOf } from "../../server/store/names.ts";
import { PostgresDatabase } from "../../server/store/postgres.ts";
import {
  administer,
  createDatabase,
  dropDatabase,
  INSTALLATION,
  NO_POSTGRES,
  POSTGRES_URL,
} from "../support/databases.ts";
import { eventually } from "../support/eventually.ts";
import { messageOf } from "../support/publish-rows.ts";

const INDEX = { name: "shop", root: "/shop", modelId: "m", dimension: 2, chunkerVersion: "1" };

function file(path: string, text: string): FileCommit {
  const lines = { start: 0, end: 0 };
  const span = { start: 0, end: text.length };
  return {
    file: {
      path,
      sha256: text,
      size: 1,
      mtimeMs: 1,
      languageId: "python",
      category: "test",
      parse: { status: "ok" },
      secrets: 0,
    },
    chunks: [{ span, lines, text, symbols: [], context: lines }],
    vectors: [Float32Array.of(1, 2)],
  };
}

describe("a server that cannot be reached", () => {
  it.each([
    ["refuses", "postgresql://me:hunter2@127.0.0.1:1/shop", "127.0.0.1:1/shop does not answer"],
    ["is unknown", "postgresql://me:hunter2@nowhere.invalid/shop", "nowhere.invalid/shop"],
    [
      "listens at no socket",
      "postgresql://me:hunter2@/shop?host=/nowhere/sockets",
      "/nowhere/sockets/shop does not answer",
    ],
    ["has no URL", "hunter2@nowhere", "COCOSEARCH_DATABASE_URL is not a URL"],
  ])(
    "a server that cannot be reached and %s is named without the password",
    async (_, url, message) => {
      const error: unknown = await openPostgres({
        url,
        installation: INSTALLATION,
        log: silent,
      }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Unavailable);
      expect(String(error)).toContain(message);
      expect(String(error)).not.toContain("hunter2");
    },
  );
});

describe.skipIf(NO_POSTGRES !== undefined)(NO_POSTGRES ?? "a Postgres server", () => {
  let url = "";
  const open: (Store | PostgresDatabase)[] = [];

  async function start(): Promise<Store> {
    const store = await openPostgres({ url, installation: INSTALLATION, log: silent });
    open.push(store);
    return store;
  }

  const fresh = async () => (url = await createDatabase());

  function bare(timeoutMs?: number): PostgresDatabase {
    const database = new PostgresDatabase(url, silent, undefined, timeoutMs);
    open.push(database);
    return database;
  }

  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
    if (url !== "") await dropDatabase(url);
    url = "";
  });

  it("is set up once by engines that start at the same moment", async () => {
    url = await createDatabase();
    const stores = await Promise.all(Array.from({ length: 5 }, () => start()));
    for (const store of stores) expect(await store.list()).toEqual([]);
  });

  it("lets two engines write one index without a deadlock", async () => {
    url = await createDatabase();
    const stores = [await start(), await start()] as const;
    const [first, second] = await Promise.all([stores[0].open(INDEX), stores[1].open(INDEX)]);
    const paths = Array.from({ length: 30 }, (_, i) => `${i}.py`);
    await Promise.all(
      Array.from({ length: 20 }, (_, round) => {
        const order = round % 2 === 0 ? paths : paths.toReversed();
        const index = round % 3 === 0 ? first : second;
        return index.commit(
          order.map((path) => file(path, `round ${round}`)),
          [],
        );
      }),
    );
    const texts = new Set<string>();
    for await (const page of first.chunks()) {
      for (const { text } of page) texts.add(text);
    }
    expect(await second.counts()).toMatchObject({ files: 30, chunks: 30, pending: 0 });
    expect(texts.size).toBe(1);
  });

  it("a server that ends the connection undoes the transaction, and answers again", async () => {
    url = await createDatabase();
    const database = new PostgresDatabase(url, silent);
    open.push(database);
    await database.query("create table t (n int)");
    const cut = database.transaction(async (tx) => {
      await tx.query("insert into t values (1)");
      const [own] = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
      await administer(`select pg_terminate_backend(${own?.pid})`, url);
      await tx.query("insert into t values (2)");
    });
    await expect(cut).rejects.toThrow(Unavailable);
    expect(await database.query("select n from t")).toEqual([]);
  });

  it("keeps a wrong statement apart from a server that does not answer", async () => {
    url = await createDatabase();
    const database = new PostgresDatabase(url, silent);
    open.push(database);
    await expect(database.query("select 1 +")).rejects.toThrow("syntax error");
    await expect(database.query("select 1 +")).rejects.not.toThrow(Unavailable);
    const refused = database.transaction(async () => {
      throw new Error("mine");
    });
    await expect(refused).rejects.toThrow(/^mine$/);
  });

  it("a read-only server is distinguished from one that is down", async () => {
    url = await createDatabase();
    await administer(
      "alter database current set default_transaction_read_only = on".replace(
        "current",
        `"${new URL(url).pathname.slice(1)}"`,
      ),
    );
    await expect(openPostgres({ url, installation: INSTALLATION, log: silent })).rejects.toThrow(
      "not a replica",
    );
  });

  it("a server with another encoding is refused", async () => {
    url = await createDatabase("encoding 'LATIN1' locale 'C' template template0");
    await expect(openPostgres({ url, installation: INSTALLATION, log: silent })).rejects.toThrow(
      "has the encoding LATIN1",
    );
  });

  it("a server without this database says so", async () => {
    const missing = new URL(POSTGRES_URL ?? "");
    missing.pathname = "/cocosearch_never_made";
    await expect(
      openPostgres({ url: missing.href, installation: INSTALLATION, log: silent }),
    ).rejects.toThrow("create this database");
  });

  it("statements of a signal end on the server when it aborts, and their connections are free", async () => {
    await fresh();
    const database = bare();
    const ending = new AbortController();
    const own = database.until(ending.signal);
    const statements = [
      own.query("select pg_sleep(600)"),
      own.transaction((tx) => tx.query("select pg_sleep(600)")),
    ].map((each) => messageOf(each));
    const running =
      "select query from pg_stat_activity where query like '%pg_sleep(600)%' and state = 'active' and pid <> pg_backend_pid()";
    await eventually(async () => expect(await database.query(running)).toHaveLength(2));
    ending.abort(new Error("enough"));
    for (const outcome of await Promise.all(statements)) expect(outcome).not.toBe("done");
    await eventually(async () => expect(await database.query(running)).toEqual([]));
    expect(await messageOf(own.query("select 1"))).toBe("Error: enough");
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => database.query(`select ${i} as n`)),
    );
    expect(answers.map(([row]) => row)).toEqual(Array.from({ length: 8 }, (_, n) => ({ n })));
  });

  it("counting the words of an index may take longer than other statements", async () => {
    await fresh();
    const database = bare(300);
    const tables = tablesOf("shop");
    await database.transaction((tx) => createLaneTables(tx, tables));
    const locking = new pg.Client({ connectionString: url });
    await locking.connect();
    await locking.query(`begin; lock table ${tables.lanes.terms} in access exclusive mode`);
    const measured = messageOf(database.transaction((tx) => measureTerms(tx, tables.lanes)));
    expect(await messageOf(database.query(`select count(*) from ${tables.lanes.terms}`))).toContain(
      "Unavailable",
    );
    await locking.end();
    expect(await measured).toBe("done");
  });

  it("the graph over vectors is built in as much memory as it takes", async () => {
    await fresh();
    const database = bare();
    const tables = tablesOf("shop");
    await database.query(`
      create extension vector;
      create table ${tables.vectors} (embedding vector);
      insert into ${tables.vectors} select null from generate_series(1, 200000);
      create table seen (memory text);
      create function see() returns event_trigger language plpgsql as
        $$ begin insert into seen values (current_setting('maintenance_work_mem')); end $$;
      create event trigger see on ddl_command_start when tag in ('CREATE INDEX') execute function see();`);
    await database.transaction((tx) => buildGraph(tx, tables, 384));
    const [seen] = await database.query<{ bytes: string }>(
      "select pg_size_bytes(memory)::text as bytes from seen",
    );
    // 200,000 vectors take 1,483 bytes each: a part of a gigabyte, which would be reserved.
    expect(Number(seen?.bytes)).toBeGreaterThan(200_000 * 1_483);
    expect(Number(seen?.bytes)).toBeLessThan(200_000 * 1_700);
  });
});
