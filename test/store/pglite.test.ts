/** The built-in database when it hangs, is ended, or finds its files damaged. */

import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { silent } from "../../server/log.ts";
import { PgliteDatabase, StoreInterrupted } from "../../server/store/pglite.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder: string;
let database: PgliteDatabase;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cocosearch-pglite-"));
  database = open();
  await database.query("create table t (n int)");
  await database.query("insert into t values (1)");
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

function open(): PgliteDatabase {
  return new PgliteDatabase({ directory: join(folder, "db"), log: silent, watchdogMs: 4_000 });
}

const numbers = async () =>
  (await database.query<{ n: number }>("select n from t order by n")).map(({ n }) => n);

it("is started again when a statement does not end, and has what was committed", async () => {
  const endless = "select count(*) from generate_series(1, 1000000000000)";
  await expect(database.query(endless)).rejects.toThrow(StoreInterrupted);
  expect(await numbers()).toEqual([1]);
});

it("rolls back the transaction under which it hangs", async () => {
  const hung = database.transaction(async (tx) => {
    await tx.query("insert into t values (2)");
    await tx.query("select count(*) from generate_series(1, 1000000000000)");
  });
  await expect(hung).rejects.toThrow(StoreInterrupted);
  expect(await numbers()).toEqual([1]);
});

it("survives a FATAL error, after which its session would spin for ever", async () => {
  await database.query("set idle_in_transaction_session_timeout = 100");
  const fatal = database.transaction(async (tx) => {
    await tx.query("insert into t values (2)");
    await new Promise((resolve) => setTimeout(resolve, 300));
    await tx.query("insert into t values (3)");
  });
  await expect(fatal).rejects.toThrow(/idle-in-transaction|started again/);
  expect(await numbers()).toEqual([1]);
});

it("runs transactions one after the other and undoes the one that fails", async () => {
  const add = (n: number, fail: boolean) =>
    database.transaction(async (tx) => {
      await tx.query("insert into t values ($1::int)", [n]);
      if (fail) throw new Error("changed my mind");
    });
  const results = await Promise.allSettled([add(2, false), add(3, true), add(4, false)]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await numbers()).toEqual([1, 2, 4]);
});

it("moves damaged files aside and begins anew", async () => {
  await database.close();
  rmSync(join(folder, "db", "PG_VERSION"));
  database = open();
  await database.query("create table t (n int)");
  expect(await numbers()).toEqual([]);
  const aside = readdirSync(folder).find((name) => name.startsWith("db.damaged-"));
  expect(existsSync(join(folder, aside ?? "", "global", "pg_control"))).toBe(true);
});
