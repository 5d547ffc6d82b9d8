/** A Postgres of the user's own: shared by several engines, missing, cut off, or not fit for use. */

import { afterEach, describe, expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import type { FileCommit, Store } from "../../server/contracts/store.ts";
import { openPostgres } from "../../server/store/external.ts";
import { PostgresDatabase } from "../../server/store/postgres.ts";
import {
  administer,
  createDatabase,
  dropDatabase,
  INSTALLATION,
  NO_POSTGRES,
  POSTGRES_URL,
} from "../support/databases.ts";

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
});
