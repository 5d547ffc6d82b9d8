/** An index in a Postgres of the user's own: the same answers, and what happens while it is away. */

import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { administer, createDatabase, dropDatabase, POSTGRES_URL } from "../support/databases.ts";
import { sharedEngine } from "../support/engine.ts";
import { eventually } from "../support/eventually.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { workspace, write } from "../support/workspace.ts";

/** Its name is made from that of a folder. */
const DROP_CHUNKS = `do $$ begin execute (
  select 'drop table ' || string_agg(quote_ident(tablename), ',') || ' cascade'
  from pg_tables where tablename like 'codeindex%chunks'); end $$`;

const engine = sharedEngine({ COCOSEARCH_DATABASE_URL: "" });

function session(url: string) {
  const made = engine.session();
  onTestFinished(() => made.dispose());
  return { made, ready: made.configure({ "database.url": url }) };
}

/** A door to the database that can be shut and opened again. */
async function door(target: URL) {
  const sockets = new Set<Socket>();
  let server: Server;
  let port = 0;
  const open = async () => {
    server = createServer((inward) => {
      const outward = connect(Number(target.port), target.hostname);
      for (const [from, to] of [
        [inward, outward],
        [outward, inward],
      ] as const) {
        sockets.add(from);
        from.pipe(to);
        from.on("error", () => to.destroy());
        from.on("close", () => to.destroy());
      }
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  };
  const shut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await closed;
  };
  await open();
  onTestFinished(shut);
  const url = new URL(target);
  url.port = String(port);
  return { url: url.href, open, shut };
}

describe("a database that does not answer", () => {
  it("is named with a remedy, and the server keeps running", async () => {
    const { made, ready } = session("postgresql://me:hunter2@127.0.0.1:9/shop");
    await ready;
    await made.openFolders([workspace(SMALL_SHOP)]);
    const error = await made.whenIdle().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Unavailable);
    const status = await made.status();
    expect(status.state).toBe("unavailable");
    expect(status.reason).toMatch(/127\.0\.0\.1:9\/shop does not answer.*COCOSEARCH_DATABASE_URL/);
    const answer = await made.search({ query: "pool" });
    expect(answer).toMatchObject({ hits: [], state: "unavailable" });
    expect(JSON.stringify([status, answer])).not.toContain("hunter2");
  });
});

const missing = POSTGRES_URL === undefined ? "COCOSEARCH_TEST_DATABASE_URL names no Postgres" : "";

describe.skipIf(missing !== "")(`a native Postgres ${missing}`, () => {
  it("stores the index, also if files change while the connection is lost", async () => {
    const database = await createDatabase();
    onTestFinished(() => dropDatabase(database));
    const { url, open, shut } = await door(new URL(database));
    const { made, ready } = session(url);
    await ready;
    const root = workspace(SMALL_SHOP);
    await made.openFolders([root]);
    await made.whenIdle();
    const first = await made.search({ query: "where is the pool opened" });
    expect(first.hits[0]?.path).toBe("src/pool.py");

    await shut();
    write(root, "//- src/cache.py\ndef evict_oldest(entries):\n    return entries.pop(0)\n");
    await made.filesChanged([`${root}/src/cache.py`]);
    await eventually(async () => expect((await made.status()).state).toBe("unavailable"));
    expect((await made.search({ query: "refresh_token" })).hits[0]?.path).toBe("src/token.py");

    await open();
    await eventually(async () => {
      const { hits } = await made.search({ query: "evict_oldest" });
      expect(hits[0]?.path).toBe("src/cache.py");
    });
    await eventually(async () => expect((await made.status()).state).toBe("ready"));
  });

  /** An engine that has indexed a shop in a database of its own, which is then changed beneath it. */
  async function changed(...statements: string[]) {
    const database = await createDatabase();
    onTestFinished(() => dropDatabase(database));
    const { made, ready } = session(database);
    await ready;
    const root = workspace(SMALL_SHOP);
    await made.openFolders([root]);
    await made.whenIdle();
    for (const statement of statements) await administer(statement, database);
    write(root, "//- src/cache.py\ndef evict_oldest(entries):\n    return entries.pop(0)\n");
    await made.filesChanged([`${root}/src/cache.py`]);
    return made;
  }

  it.each([
    ["of an index", [DROP_CHUNKS]],
    ["that indexes share", ["drop table cocosearch_indexes"]],
    ["and pgvector", ["drop schema public cascade", "create schema public"]],
  ])("makes tables %s again that were dropped", async (_, statements) => {
    const made = await changed(...statements);
    await eventually(async () => {
      for (const [query, path] of [
        ["evict_oldest", "src/cache.py"],
        ["refresh_token", "src/token.py"],
      ]) {
        const { hits } = await made.search({ query: query ?? "" });
        expect(hits[0]?.path).toBe(path);
      }
      expect((await made.status()).state).toBe("ready");
    });
  });

  it("the error names the schema of pgvector if it is outside the user's search path", async () => {
    const database = await createDatabase();
    onTestFinished(() => dropDatabase(database));
    const schemas = "create schema elsewhere; create extension vector schema elsewhere";
    await administer(schemas, database);
    const { made, ready } = session(database);
    await ready;
    await made.openFolders([workspace(SMALL_SHOP)]);
    await expect(made.whenIdle()).rejects.toThrow("pgvector in the schema elsewhere");
    expect((await made.status()).state).toBe("unavailable");
  });
});
